import RxEngine
import RxEngineBlocking
import Synchronization
import TestSupport
import Testing

@Suite(.balanced) struct DisposalTests {
    static let endless: [@Sendable () -> Observable<Int>] = [
        { .from(0...) },
        { Observable.from(0...).map { $0 }.share(replay: 1) },
        { .interval(.milliseconds(1), scheduler: SerialDispatchQueueScheduler(qos: .default)) },
        { .from(0..., scheduler: SerialDispatchQueueScheduler(qos: .default)) },
    ]

    @Test(arguments: endless) func firstStopsEndlessSource(make: @Sendable () -> Observable<Int>) throws {
        let source = make().toBlocking()
        #expect(try source.first() == 0)
        #expect(throws: RxError.self) { try source.single() }
    }

    @Test(arguments: [true, false]) func sourceIsReleasedBeforeResultIsReturned(onThisThread: Bool) throws {
        let log = Cell<[String]>([])
        let other = SerialDispatchQueueScheduler(qos: .default)
        let scheduler: any ImmediateSchedulerType = onThisThread ? CurrentThreadScheduler.instance : other
        let source = Observable<Int>.create { observer in
            let run = Observable.of(1, 2, 3, scheduler: scheduler).subscribe(observer)
            return Disposables.create(run, Disposables.create { log.append("freed") })
        }
        let seen = source.map { element in
            log.append("\(element)")
            return element
        }
        #expect(try seen.toBlocking().first() == 1)
        #expect(log.value.last == "freed")
        #expect(try seen.toBlocking().toArray() == [1, 2, 3])
        #expect(log.value.suffix(4) == ["1", "2", "3", "freed"])
    }

    @Test func firstRequestsNoFurtherElements() throws {
        let requested = Cell<[Int]>([])
        let source = Observable.from(0...).map { element in
            requested.append(element)
            return element
        }
        #expect(try source.toBlocking().first() == 0)
        #expect(requested.value == [0])
    }

    @Test func lastRetainsOneElementAtATime() throws {
        final class Element: Sendable {
            let alive: Cell<Int>
            init(_ alive: Cell<Int>) {
                self.alive = alive
                alive.update { $0 += 1 }
            }
            deinit { alive.update { $0 -= 1 } }
        }
        let alive = Cell(0)
        let most = Cell(0)
        let source = Observable.from(0..<100).map { _ in
            let element = Element(alive)
            most.update { $0 = max($0, alive.value) }
            return element
        }
        let last = try source.toBlocking().last()
        #expect(last != nil)
        #expect(most.value == 2)
        #expect(alive.value == 1)
    }
}
