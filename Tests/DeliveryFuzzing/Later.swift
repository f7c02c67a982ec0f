import SeededRandom

/// A step that passes events on later, and perhaps drops some.
enum Later: Sendable {
    /// Milliseconds.
    case delay(Int)
    case debounce(Int)
    case throttle(Int, latest: Bool)
    /// A command for each event, after which the event is passed on. It takes this number of milliseconds, or its own
    /// time.
    case inner(Flattening, Int?)

    enum Flattening: String, Sendable, CaseIterable {
        case concatMap, flatMap, flatMapFirst, flatMapLatest
    }

    /// Which of the events it passes on.
    enum Passing {
        case all
        /// Not all, but the last one.
        case last
        /// Not all; of several at least one.
        case some
    }

    /// The step's text in the configuration.
    var text: String {
        switch self {
        case .delay(let span): "delay: \(span)ms"
        case .debounce(let span): "debounce: \(span)ms"
        case .throttle(let span, let latest): "throttle: { span: \(span)ms, latest: \(latest) }"
        case .inner(let flattening, let span):
            "\(flattening.rawValue): { command: { run: [sh, -c, "
                + "'\(span.map { "sleep 0.00\($0); " } ?? "")echo x'] }, map: $outer }"
        }
    }

    var passing: Passing {
        switch self {
        case .delay, .inner(.concatMap, _), .inner(.flatMap, _): .all
        case .debounce, .throttle(_, latest: true), .inner(.flatMapLatest, _): .last
        case .throttle(_, latest: false), .inner(.flatMapFirst, _): .some
        }
    }

    /// Whether it may change the order of events.
    var reorders: Bool { if case .inner(.flatMap, _) = self { true } else { false } }

    static func random(_ random: inout SplitMix64) -> Later {
        switch random.below(5) {
        case 0: .delay(random.within(10...400))
        // Shorter than the time between the ticks of all intervals together.
        case 1: .debounce(random.within(5...15))
        case 2: .throttle(random.within(5...300), latest: random.chance(60))
        default: .inner(random.pick(Flattening.allCases), random.chance(50) ? nil : random.within(1...9))
        }
    }
}
