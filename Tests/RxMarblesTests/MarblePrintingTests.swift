import RxMarbles
import SeededRandom
import Testing

@Suite struct MarblePrintingTests {
    static let rows: [(marbles: [Marble], end: Int?, printed: String)] = [
        ([], nil, ""),
        ([], 3, "---"),
        ([Marble(1, .value("a")), Marble(3, .completion)], nil, "-a-|"),
        ([Marble(0, .value("a")), Marble(0, .value("b")), Marble(2, .error)], 4, "(ab)-#-"),
        // A long gap is a time.
        ([Marble(15, .value("a"))], nil, "---------------a"),
        ([Marble(16, .value("a"))], nil, "16s a"),
        ([Marble(0, .value("a")), Marble(121, .completion)], nil, "a 2m |"),
        ([Marble(0, .value("a"))], 3601, "a 1h"),
        // A digit and a unit would be a time.
        ([Marble(0, .value("1")), Marble(1, .value("2")), Marble(2, .value("s"))], nil, "1(2)s"),
        // What happens before the subscription.
        ([Marble(-2, .value("a")), Marble(1, .value("b"))], nil, "a-^b"),
        ([Marble(-1, .value("a")), Marble(0, .value("b"))], nil, "a(^b)"),
        ([Marble(-2, .value("a"))], nil, "a-^"),
    ]

    @Test(arguments: rows) func printsMarks(marbles: [Marble], end: Int?, printed: String) throws {
        let diagram = MarbleDiagram(marbles, end: end)
        #expect(diagram.description == printed)
        #expect(try MarbleDiagram(printed) == diagram)
    }

    @Test func extremeFramesArePrinted() {
        let diagram = MarbleDiagram([Marble(.min, .value("a")), Marble(.max, .completion)], frame: .seconds(Int64.max))
        #expect(diagram.description.count < 50)
        #expect(MarbleSubscription(subscribe: .min, unsubscribe: .max).description.count < 50)
    }

    @Test(arguments: 1...500) func randomDiagramCanBeReadAgain(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let durations: [Duration] = [.seconds(1), .milliseconds(10), .seconds(15), .nanoseconds(7), .seconds(86_400)]
        let names = Array("ab019smhun+é漢")
        var marbles: [Marble] = []
        var frame = random.chance(30) ? -random.below(40) : 0
        for _ in 0..<random.below(12) {
            frame += random.pick([0, 0, 1, 1, 2, 5, 16, 100, 12_345])
            marbles.append(Marble(frame, .value(random.pick(names))))
        }
        if random.chance(70) { marbles.append(Marble(frame + random.below(3), random.pick([.completion, .error]))) }
        let diagram = MarbleDiagram(marbles, end: frame + random.below(40), frame: random.pick(durations))
        #expect(try MarbleDiagram(diagram.description, frame: diagram.frame) == diagram, "\(diagram)")
    }
}
