import RxEngine
import RxLinux

/// `unit: nginx.service`: events `{unit, active, sub, result, job}`, one at first and one at each change.
struct UnitSource: SourceKind {
    let unit: String

    static func read(_ node: YAMLNode, _ report: Report) -> (any SourceKind)? {
        var fields = Fields(node, in: "unit", short: "name", report)
        let name = fields.required("name", .string("a unit's name", example: "nginx.service", pattern: Units.pattern))
        guard fields.finish(), let name else { return nil }
        guard Units.isName(name) else {
            report.add(
                "'\(name)' is no unit's name: that ends in its type, such as nginx.service",
                at: fields.location(of: "name"))
            return nil
        }
        return UnitSource(unit: name)
    }

    func events(in surroundings: SourceSurroundings) -> Observable<JSON> {
        surroundings.host.units.state(of: unit).observe(on: surroundings.scheduler).map { state in
            [
                "unit": .string(state.unit), "load": .string(state.load), "active": .string(state.active),
                "sub": .string(state.sub), "result": state.result.map { .string($0) } ?? .null,
                "job": state.job.map { .number(Double($0)) } ?? .null,
            ]
        }
    }

    var summary: String { unit }
}

extension Units {
    /// What a unit's name matches, but for its length.
    static let pattern =
        #"^[A-Za-z0-9:_.\\@-]+\.(service|socket|device|mount|automount|swap|target|path|timer|slice|scope)$"#
}
