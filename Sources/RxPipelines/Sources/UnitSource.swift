import RxEngine
import RxJSON
import RxLinux
import RxYAML
import Synchronization

/// `unit: nginx.service`: events `{unit, active, sub, result, job}`, one at first and one at each change.
struct UnitSource: SourceKind {
    let unit: String
    var settings = SourceSettings()

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SourceKind)? {
        var fields = Fields(node, in: "unit", short: "name", context)
        let name = fields.required("name", .string("a unit's name", example: "nginx.service", pattern: Units.pattern))
        let settings = SourceSettings.read(&fields)
        guard fields.finish(), let name else { return nil }
        guard Units.isName(name) else {
            context.report.add(
                "'\(name)' is no unit's name: that ends in its type, such as nginx.service",
                at: fields.valueLocation(of: "name"))
            return nil
        }
        return UnitSource(unit: name, settings: settings)
    }

    func events(in context: SourceContext) -> Observable<JSON> {
        states(in: context).observe(on: context.scheduler).map { state in
            [
                "unit": .string(state.unit), "load": .string(state.load), "active": .string(state.active),
                "sub": .string(state.sub), "result": state.result.map { .string($0) } ?? .null,
                "job": state.job.map { .number(Double($0)) } ?? .null,
            ]
        }
    }

    /// The states; that the service manager cannot be reached, and that it can be again, is recorded.
    private func states(in context: SourceContext) -> Observable<UnitState> {
        let units = context.host.units
        return units.state(of: unit).accompanied {
            let isLost = Atomic(false)
            return units.connection.subscribe(onNext: { connection in
                switch connection {
                case .lost(let error, _):
                    guard !isLost.exchange(true, ordering: .relaxed) else { return }
                    context.record(
                        .warning, "the service manager cannot be reached, which is tried again: \(error)", error)
                case .connected:
                    guard isLost.exchange(false, ordering: .relaxed) else { return }
                    context.record(.notice, "the service manager can be reached again", nil)
                case .unused, .connecting: break
                }
            })
        }
    }

    var summary: String { unit }
}

extension Units {
    /// What a unit's name matches, but for its length.
    static let pattern =
        #"^[A-Za-z0-9:_.\\@-]+\.(service|socket|device|mount|automount|swap|target|path|timer|slice|scope)$"#
}
