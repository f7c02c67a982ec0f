import RxEngine
import RxJSON
import RxLinux
import RxYAML
import Synchronization

/// `unit: nginx.service`: events `{unit, load, active, sub, result, job}`, one at first and one at each change.
struct UnitSource: SourceKind {
    let unit: String
    var settings = SourceSettings()

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SourceKind)? {
        var fields = FieldReader(node, in: "unit", short: "name", context)
        let name = fields.required(
            "name", .string("a unit's name", example: "nginx.service", pattern: Units.pattern),
            "The unit whose state is watched")
        let settings = SourceSettings.read(&fields)
        guard fields.finish(), let name else { return nil }
        if let complaint = Units.complaint(about: name) {
            context.report.add(complaint, at: fields.valueLocation(of: "name"))
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

    /// The states of the unit. A lost and a restored connection to the service manager are recorded.
    private func states(in context: SourceContext) -> Observable<UnitState> {
        let units = context.host.units
        return units.state(of: unit).accompanied {
            let isLost = Atomic(false)
            return units.connection.subscribe(onNext: { connection in
                switch connection {
                case .lost(let error, _):
                    guard !isLost.exchange(true, ordering: .relaxed) else { return }
                    context.record(
                        .warning, "cannot connect to the service manager, retrying: \(error)", error)
                case .connected:
                    guard isLost.exchange(false, ordering: .relaxed) else { return }
                    context.record(.notice, "connected to the service manager again", nil)
                case .unused, .connecting: break
                }
            })
        }
    }

    var valueType: ValueType {
        .object([
            "unit": .text,
            "load": .choice(["stub", "loaded", "not-found", "bad-setting", "error", "merged", "masked"]),
            "active": .choice([
                "active", "reloading", "inactive", "failed", "activating", "deactivating", "maintenance", "refreshing",
            ]),
            "sub": .text, "result": .text, "job": .number,
        ])
    }

    var summary: String { unit }
}

extension Units {
    /// The error in the name of a unit, with advice; `nil` if the name is valid.
    static func complaint(about name: String) -> String? {
        if isName(name) { return nil }
        if name.contains(where: { "*?[".contains($0) }) {
            return "'\(name)' is a pattern; give the full name of one unit, such as nginx.service"
        }
        if !name.contains("."), isName(name + ".service") {
            return "'\(name)' is not the name of a unit: its type is missing; write for example \(name).service"
        }
        return "'\(name)' is not the name of a unit: such a name has no spaces and ends in its type, such as "
            + "nginx.service"
    }

    /// The pattern of a unit's name, without a limit of its length.
    static let pattern =
        #"^[A-Za-z0-9:_.\\@-]+\.(service|socket|device|mount|automount|swap|target|path|timer|slice|scope)$"#
}
