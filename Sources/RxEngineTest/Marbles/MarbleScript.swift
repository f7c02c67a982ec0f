import RxEngine
import RxMarbles

/// A diagram with the values and the error of its marks, placed in virtual time.
struct MarbleScript<Element> {
    let diagram: MarbleDiagram
    private let values: MarbleValues<Element>
    private let error: any Error
    /// The virtual time of frame 0.
    private let origin: TestTime

    init(
        _ text: String, _ values: MarbleValues<Element>, _ error: any Error, from origin: TestTime, _ frame: Duration
    ) throws(MarbleError) {
        diagram = try MarbleDiagram(text, frame: frame) { values[$0] != nil }
        self.values = values
        self.error = error
        self.origin = origin
    }

    /// The events, at their virtual times.
    var events: [Recorded<Event<Element>>] {
        diagram.marbles.compactMap { marble in
            event(of: marble.mark).map { Recorded(time: origin + marble.frame, value: $0) }
        }
    }

    private func event(of mark: MarbleMark) -> Event<Element>? {
        switch mark {
        case .value(let name): values[name].map(Event.next)
        case .error: .error(error)
        case .completion: .completed
        case .subscription, .disposal: nil
        }
    }
}

extension MarbleScript where Element: Equatable {
    /// The difference between these events and the received ones, or `nil` if there is none.
    ///
    /// Events are equal as in arrays of recorded events: errors by their descriptions.
    func difference(from received: [Recorded<Event<Element>>]) -> MarbleComparison? {
        let expected = events
        guard expected != received else { return nil }
        var naming = MarbleNaming(values, used: diagram.marbles)
        return MarbleComparison(
            expected: naming.marbles(expected, from: origin), received: naming.marbles(received, from: origin),
            frame: diagram.frame, time: { [origin] in "at \(origin + $0)" })
    }
}
