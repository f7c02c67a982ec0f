import RxEngine
import RxMarbles

/// A random source: what it emits in each frame.
struct LawSource: Equatable {
    var isHot: Bool
    /// The elements of each frame.
    var frames: [[Int]]
    /// How the source ends, in its last frame; `nil` if it does not.
    var end: MarbleMark?

    /// Makes a source of the given kinds.
    init(_ kinds: LawSourceKinds, _ random: inout LawRandom) {
        isHot = kinds.contains(.hot) && random.chance(40)
        let (length, density) = (Int.random(in: 0...10, using: &random), Int.random(in: 10...70, using: &random))
        frames = (0..<length).map { _ in
            guard random.chance(density) else { return [] }
            let count = random.chance(20) ? Int.random(in: 2...3, using: &random) : 1
            return (0..<count).map { _ in Int.random(in: 1...9, using: &random) }
        }
        switch Int.random(in: 0..<100, using: &random) {
        case ..<25 where kinds.contains(.failing): end = .error
        case 25..<40 where kinds.contains(.endless): end = nil
        default: end = .completion
        }
        if end != nil, frames.isEmpty || random.chance(60) { frames.append([]) }
    }

    /// The events as marks of a diagram.
    var marbles: [Marble] {
        var marbles: [Marble] = []
        for (frame, values) in frames.enumerated() {
            // Elements are digits, which have one character each.
            marbles += values.map { Marble(frame, .value("\($0)".first ?? "?")) }
        }
        return marbles + (end.map { [Marble(max(0, frames.count - 1), $0)] } ?? [])
    }

    /// The kind and the diagram.
    var text: String { "\(isHot ? "hot " : "cold") \(MarbleDiagram(marbles, end: max(1, frames.count)))" }

    func observable(on scheduler: TestScheduler, subscribed: TestTime) -> TestableObservable<Int> {
        let start = isHot ? subscribed : 0
        var events: [Recorded<Event<Int>>] = []
        for (frame, values) in frames.enumerated() { events += values.map { .next(start + frame, $0) } }
        let last = start + max(0, frames.count - 1)
        if end == .completion { events.append(.completed(last)) }
        if end == .error { events.append(.error(last, MarbleFailure())) }
        return isHot ? scheduler.createHotObservable(events) : scheduler.createColdObservable(events)
    }

    /// Simpler sources, the simplest first.
    var simpler: [LawSource] {
        var all: [LawSource] = []
        func add(_ change: (inout LawSource) -> Void) {
            var source = self
            change(&source)
            if source != self { all.append(source) }
        }
        if frames.count > 2 {
            add { $0.frames.removeFirst(frames.count / 2) }
            add { $0.frames.removeLast(frames.count / 2) }
        }
        for frame in frames.indices { add { $0.frames.remove(at: frame) } }
        for frame in frames.indices { add { $0.frames[frame] = [] } }
        for (frame, values) in frames.enumerated() {
            if values.count > 1 { for index in values.indices { add { $0.frames[frame].remove(at: index) } } }
            for index in values.indices where values[index] > 1 {
                add { $0.frames[frame][index] = 1 }
                add { $0.frames[frame][index] -= 1 }
            }
        }
        if end == .error { add { $0.end = .completion } }
        if end != nil { add { $0.end = nil } }
        add { $0.isHot = false }
        return all
    }
}
