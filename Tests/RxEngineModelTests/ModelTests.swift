import RxEngineModel
import Testing

/// The model's own examples: what is known of operators from their marbles.
@Suite
struct ModelTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let name: String
        let root: Node
        let events: [TimedEvent]

        var testDescription: String { name }

        init(_ name: String, _ root: Node, _ events: TimedEvent...) {
            self.name = name
            self.root = root
            self.events = events
        }
    }

    private static let source = Node.source(.hot(0))
    private static let other = Node.source(.hot(1))
    private static let hots = [
        [TimedEvent(10, .next(1)), TimedEvent(14, .next(2)), TimedEvent(20, .next(3)), TimedEvent(30, .completed)],
        [TimedEvent(12, .next(5)), TimedEvent(16, .next(6)), TimedEvent(25, .completed)],
    ]

    private static let even = Condition(kind: .even, throwsAt: nil)

    static let examples = [
        Example("filter", .one(.filter(even), source), .init(14, .next(2)), .init(30, .completed)),
        Example(
            "a closure that throws",
            .one(.map(Function(kind: .plus(1), throwsAt: 2)), source), .init(10, .next(2)), .init(14, .error(70))),
        Example("take", .one(.take(2), source), .init(10, .next(1)), .init(14, .next(2)), .init(14, .completed)),
        Example(
            "takeLast", .one(.takeLast(2), source), .init(30, .next(2)), .init(30, .next(3)), .init(30, .completed)),
        Example("elementAt", .one(.elementAt(1), source), .init(14, .next(2)), .init(14, .completed)),
        Example("asSingle", .one(.asSingle, source), .init(14, .error(Failure.moreThanOneElement))),
        Example(
            "merge", .many(.merge, [source, other]), .init(10, .next(1)), .init(12, .next(5)), .init(14, .next(2)),
            .init(16, .next(6)), .init(20, .next(3)), .init(30, .completed)),
        Example(
            "merge of synchronous sources takes turns",
            .many(.merge, [.source(.of([1, 2])), .source(.of([3, 4]))]), .init(2, .next(1)), .init(2, .next(3)),
            .init(2, .next(2)), .init(2, .next(4)), .init(2, .completed)),
        Example(
            "zip ends when all sources have", .many(.zip, [source, other]), .init(12, .next(digest([1, 5]))),
            .init(16, .next(digest([2, 6]))), .init(30, .completed)),
        Example(
            "combineLatest", .many(.combineLatest, [source, other]), .init(12, .next(digest([1, 5]))),
            .init(14, .next(digest([2, 5]))), .init(16, .next(digest([2, 6]))), .init(20, .next(digest([3, 6]))),
            .init(30, .completed)),
        Example(
            "sample", .two(.sample(default: nil), source, other), .init(12, .next(1)), .init(16, .next(2)),
            .init(25, .next(3))),
        Example(
            "amb", .two(.amb, other, source), .init(10, .next(1)), .init(14, .next(2)), .init(20, .next(3)),
            .init(30, .completed)),
        Example(
            "take(until:)", .two(.takeUntil, source, other), .init(10, .next(1)), .init(12, .completed)),
        Example(
            "debounce", .one(.debounce(5), source), .init(19, .next(2)), .init(25, .next(3)), .init(30, .completed)),
        Example(
            "throttle", .one(.throttle(5, latest: true), source), .init(10, .next(1)), .init(15, .next(2)),
            .init(20, .next(3)), .init(30, .completed)),
        Example(
            "delay", .one(.delay(3), source), .init(13, .next(1)), .init(17, .next(2)), .init(23, .next(3)),
            .init(33, .completed)),
        Example("timeout", .one(.timeout(5), source), .init(7, .error(Failure.timeout))),
        Example(
            "retry", .one(.retry(2), .source(.create(id: 1, [.next(1), .error(3)]))), .init(2, .next(1)),
            .init(2, .next(1)), .init(2, .error(3))),
        Example(
            "flatMapLatest", .each(.flatMapLatest, source, Choice([.source(.timer(5))])), .init(19, .next(0)),
            .init(25, .next(0)), .init(30, .completed)),
        Example(
            "concatMap", .each(.concatMap, source, Choice([.source(.timer(7))])), .init(17, .next(0)),
            .init(24, .next(0)), .init(31, .next(0)), .init(31, .completed)),
    ]

    @Test(arguments: examples)
    func modelMatchesMarble(_ example: Example) {
        let program = Program(
            hots: Self.hots, root: example.root,
            subscribers: [Subscriber(subscribesAt: 2, disposesAt: Program.horizon)])
        let events = Model.run(program)?.entries.compactMap { entry -> TimedEvent? in
            guard case .event(_, let event) = entry.what else { return nil }
            return TimedEvent(entry.tick, event)
        }
        #expect(events == example.events)
    }

    private static func digest(_ values: [Int]) -> Int { Model.digest(values) }

    @Test
    func programsWithoutEndAreDiscarded() {
        let program = Program(
            hots: [], root: .source(.repeatElement(1)), subscribers: [Subscriber(subscribesAt: 2, disposesAt: 60)])
        #expect(Model.run(program) == nil)
    }

    @Test
    func endlessSourcesAreFineBehindTake() {
        let program = Program(
            hots: [], root: .one(.take(1), .source(.repeatElement(1))),
            subscribers: [Subscriber(subscribesAt: 2, disposesAt: 60)])
        #expect(Model.run(program)?.entries.count == 2)
    }
}
