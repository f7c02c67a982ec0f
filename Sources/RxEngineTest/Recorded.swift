import RxEngine

/// A point in virtual time.
public typealias TestTime = Int

/// A value, and the virtual time at which it was emitted.
public struct Recorded<Value> {
    /// The time at which the value was emitted.
    public let time: TestTime
    /// The value.
    public let value: Value

    /// Makes a value that was emitted at `time`.
    public init(time: TestTime, value: Value) {
        self.time = time
        self.value = value
    }
}

extension Recorded: Sendable where Value: Sendable {}
extension Recorded: Equatable where Value: Equatable {}

extension Recorded: CustomDebugStringConvertible {
    /// `value @ time`.
    public var debugDescription: String {
        "\(value) @ \(time)"
    }
}

extension Recorded {
    /// Makes an element that was emitted at `time`.
    public static func next<Element>(_ time: TestTime, _ element: Element) -> Recorded<Event<Element>>
    where Value == Event<Element> {
        Recorded(time: time, value: .next(element))
    }

    /// Makes a completion at `time`.
    ///
    /// - Parameters:
    ///   - time: when the sequence completed.
    ///   - type: the element type of the sequence, where the context does not determine it.
    public static func completed<Element>(_ time: TestTime, _ type: Element.Type = Element.self)
        -> Recorded<Event<Element>> where Value == Event<Element>
    {
        Recorded(time: time, value: .completed)
    }

    /// Makes an error at `time`.
    ///
    /// - Parameters:
    ///   - time: when the sequence failed.
    ///   - error: the error.
    ///   - type: the element type of the sequence, where the context does not determine it.
    public static func error<Element>(
        _ time: TestTime, _ error: any Swift.Error, _ type: Element.Type = Element.self
    ) -> Recorded<Event<Element>> where Value == Event<Element> {
        Recorded(time: time, value: .error(error))
    }

    /// Makes an array of events.
    public static func events<Element>(_ events: Recorded<Event<Element>>...) -> [Recorded<Event<Element>>]
    where Value == Event<Element> {
        events
    }

    /// Returns the events: an array literal in place of a list of arguments.
    public static func events<Element>(_ events: [Recorded<Event<Element>>]) -> [Recorded<Event<Element>>]
    where Value == Event<Element> {
        events
    }
}
