import RxEngineModel
import Testing

@Suite
struct ShrinkerTests {
    @Test
    func shrunkProgramStillFailsAndHasNothingElse() {
        for seed in UInt64(0)..<200 {
            var generator = Generator(seed: seed)
            let program = generator.program()
            guard program.root.uses("merge") else { continue }
            let shrunk = program.shrunk { $0.root.uses("merge") }
            #expect(shrunk.root.size == 1)
            #expect(shrunk.subscribers.count == 1)
            let events = shrunk.hots.flatMap { $0 }
            #expect(events.isEmpty)
        }
    }

    @Test
    func sameSeedMakesSameProgram() {
        var (one, two) = (Generator(seed: 7), Generator(seed: 7))
        #expect(one.program() == two.program())
        #expect(one.program() == two.program())
    }

    @Test
    func programIsPrintedAsCode() {
        let program = Program(
            hots: [[TimedEvent(3, .next(1)), TimedEvent(5, .error(2))]],
            root: .one(.take(1), .many(.merge, [.source(.hot(0)), .source(.just(4))])),
            subscribers: [Subscriber(subscribesAt: 2, disposesAt: 60)])
        #expect(program.code.contains("Observable.merge([hot0, Observable.just(4)]).take(1)"))
        #expect(program.code.contains("createHotObservable([.next(3, 1), .error(5, Failure(2))]"))
    }
}

extension Node {
    fileprivate func uses(_ name: String) -> Bool { self.name == name || children.contains { $0.uses(name) } }
}
