import RxEngine
import RxMarbles

/// Names for recorded values: those of the diagram, and free ones for others. Different values have different names.
struct MarbleNaming<Element: Equatable> {
    private var named: [(name: Character, value: Element)]
    private var free: MarbleNames

    /// - Parameters:
    ///   - values: the values that have names.
    ///   - marbles: the events of the diagram, whose names are in use.
    init(_ values: MarbleValues<Element>, used marbles: [Marble] = []) {
        named = values.named
        for case .value(let name) in marbles.map(\.mark) where !named.contains(where: { $0.name == name }) {
            if let value = values[name] { named.append((name, value)) }
        }
        free = MarbleNames(used: Set(named.map(\.name)))
    }

    /// The events as marks of a diagram.
    ///
    /// - Parameters:
    ///   - events: the recorded events.
    ///   - origin: the virtual time of frame 0.
    mutating func marbles(_ events: [Recorded<Event<Element>>], from origin: TestTime) -> [Marble] {
        events.map { event in
            let frame = event.time.subtractingReportingOverflow(origin).partialValue
            switch event.value {
            case .next(let value): return Marble(frame, .value(name(of: value)), detail: Self.text(of: value))
            case .error(let error): return Marble(frame, .error, detail: "\(error)")
            case .completed: return Marble(frame, .completion)
            }
        }
    }

    private mutating func name(of value: Element) -> Character {
        if let known = named.first(where: { $0.value == value }) { return known.name }
        let name = free.name(preferring: "\(value)")
        named.append((name, value))
        return name
    }

    private static func text(of value: Element) -> String {
        value is String ? String(reflecting: value) : "\(value)"
    }
}
