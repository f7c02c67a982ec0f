import RxEngineModel
import Testing

/// The model's own examples, taken from the operators' marble diagrams.
@Suite
struct ModelTests {
    @Test(arguments: ModelExample.all)
    func modelMatchesMarble(_ example: ModelExample) {
        let entries = Model.run(program(example.root))?.entries
        let events = entries?.compactMap { entry -> TimedEvent? in
            guard case .event(_, let event) = entry.kind else { return nil }
            return TimedEvent(entry.tick, event)
        }
        #expect(events == example.events)
    }

    /// Every operator has an example, under its own name or that of a trait, whatever the number of its sources.
    @Test
    func everyOperatorHasExample() {
        var counts: [String: Int] = [:]
        for example in ModelExample.all { example.root.count(into: &counts) }
        let examples = Set(counts.keys.map(operatorName))
        for name in Generator.names { #expect(examples.contains(operatorName(name)), "\(name) has no example") }
    }

    @Test
    func doRecordsItsClosuresInOrder() {
        // The moments at which the closures after the end run are compared without their order.
        let effects = SideEffects(
            id: 1, closures: Set(SideEffects.Callback.allCases).subtracting([.afterError, .afterCompleted]))
        let recording = Model.run(program(.one(.do(effects), .one(.take(1), .source(.hot(0))))))
        #expect(
            recording?.description == """
                2\tdo1 onSubscribe 0
                2\tsubscribed hot0
                2\tdo1 onSubscribed 0
                10\tdo1 onNext 1
                10\t#0 next(1)
                10\tdo1 afterNext 1
                10\tdo1 onCompleted 0
                10\t#0 completed
                10\tdisposed hot0
                10\tdo1 onDispose 0
                """)
    }

    @Test
    func usingDisposesResourceAfterSequence() {
        let recording = Model.run(program(.one(.using(id: 1, .nothing), .one(.take(1), .source(.hot(0))))))
        #expect(
            recording?.description == """
                2\tbegan 1
                2\tsubscribed hot0
                10\t#0 next(1)
                10\t#0 completed
                10\tdisposed hot0
                10\tdisposed 1
                """)
    }

    @Test
    func programsWithoutEndAreDiscarded() {
        #expect(Model.run(program(.source(.repeatElement(1)))) == nil)
    }

    @Test
    func endlessSourcesAreAllowedBeforeTake() {
        #expect(Model.run(program(.one(.take(1), .source(.repeatElement(1)))))?.entries.count == 2)
    }

    @Test
    func severalSubscribersOfSharedSequenceAreDiscarded() {
        var program = program(.one(.via(.driver, .asObservable), .source(.hot(0))))
        program.subscribers.append(Subscriber(subscribesAt: 5, disposesAt: Program.horizon))
        #expect(Model.run(program) == nil)
        // One after the other: each subscription starts a run.
        program.subscribers = [
            Subscriber(subscribesAt: 2, disposesAt: 12), Subscriber(subscribesAt: 12, disposesAt: Program.horizon),
        ]
        #expect(Model.run(program) != nil)
    }

    private func program(_ root: Node) -> Program {
        Program(
            hots: ModelExample.hots, root: root,
            subscribers: [Subscriber(subscribesAt: 2, disposesAt: Program.horizon)])
    }

    private func operatorName(_ name: String) -> String {
        var parts = name.split(separator: ".").map(String.init)
        if parts.count > 1, Trait(rawValue: parts[0]) != nil { parts.removeFirst() }
        while parts[0].last?.isNumber == true { parts[0].removeLast() }
        return parts[0]
    }
}
