import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// A search field with suggestions, in three steps: written naively, corrected by hand, and with drivers that need no
/// correction.
@Suite(.balanced) struct TraitsGuideTests {
    /// A server in virtual time: a response takes 50 ticks, and it has none for "bad".
    private final class Server: Sendable {
        let asked = Cell<[String]>([])
        let scheduler: TestScheduler

        init(_ scheduler: TestScheduler) {
            self.scheduler = scheduler
        }

        func fetch(_ query: String) -> Observable<[String]> {
            .deferred { [self] in
                asked.append(query)
                let answer: Observable<[String]> =
                    query == "bad" ? .error(TestError("bad")) : .just([query, query + "s"])
                return answer.delaySubscription(.seconds(50), scheduler: scheduler)
            }
        }
    }

    @MainActor private struct Bench {
        // Released before the field, whose end would need the clock to run.
        let bag = DisposeBag()
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let field = Field("")
        let count = Cell<[String]>([])
        let rows = Cell<[[String]]>([])

        func run(_ body: (Bench, Server) -> Void) -> [String] {
            let server = Server(scheduler)
            SharingScheduler.mock(scheduler: scheduler) {
                body(self, server)
                for (time, text) in [(210, "c"), (215, "ca"), (220, "cat"), (400, "bad"), (600, "dog")] {
                    let field = field
                    scheduler.scheduleAt(time) { MainActor.assumeIsolated { field.type(text) } }
                }
                scheduler.advanceTo(1000)
            }
            return server.asked.value
        }
    }

    @MainActor @Test func naiveSearch() {
        let bench = Bench()
        let asked = bench.run { bench, server in
            // A closure that captured the bench would retain the bag that retains the closure.
            let (count, rows) = (bench.count, bench.rows)
            let results = bench.field.rx.value.orEmpty
                .throttle(.seconds(30), scheduler: bench.scheduler)
                .flatMapLatest { server.fetch($0) }
            results.map { "\($0.count)" }
                .subscribe(onNext: { count.append($0) }, onError: { _ in count.append("error") })
                .disposed(by: bench.bag)
            results
                .subscribe(onNext: { rows.append($0) }, onError: { _ in })
                .disposed(by: bench.bag)
        }
        // Each query is requested twice, and after the first error the screen is dead.
        #expect(asked == ["", "", "c", "c", "cat", "cat", "bad", "bad"])
        #expect(bench.count.value == ["2", "2", "error"])
        #expect(bench.rows.value == [["", "s"], ["cat", "cats"]])
    }

    @MainActor @Test func searchCorrectedByHand() {
        let bench = Bench()
        let asked = bench.run { bench, server in
            // A closure that captured the bench would retain the bag that retains the closure.
            let (count, rows) = (bench.count, bench.rows)
            let scheduler = bench.scheduler
            let results = bench.field.rx.value.orEmpty
                .throttle(.seconds(30), scheduler: scheduler)
                .flatMapLatest { server.fetch($0).observe(on: scheduler).catchAndReturn([]) }
                .share(replay: 1)
            results.map { "\($0.count)" }.bind(onNext: { count.append($0) }).disposed(by: bench.bag)
            results.bind(onNext: { rows.append($0) }).disposed(by: bench.bag)
        }
        checkAllIsWell(bench, asked)
    }

    @MainActor @Test func searchWithDrivers() {
        let bench = Bench()
        let asked = bench.run { bench, server in
            // A closure that captured the bench would retain the bag that retains the closure.
            let (count, rows) = (bench.count, bench.rows)
            let results = bench.field.rx.value.orEmpty.asDriver()
                .throttle(.seconds(30))
                .flatMapLatest { server.fetch($0).asDriver(onErrorJustReturn: []) }
            results.map { "\($0.count)" }.drive(onNext: { count.append($0) }).disposed(by: bench.bag)
            results.drive(onNext: { rows.append($0) }).disposed(by: bench.bag)
        }
        checkAllIsWell(bench, asked)
    }

    @MainActor private func checkAllIsWell(_ bench: Bench, _ asked: [String]) {
        #expect(asked == ["", "c", "cat", "bad", "dog"])
        #expect(bench.count.value == ["2", "2", "0", "2"])
        #expect(bench.rows.value == [["", "s"], ["cat", "cats"], [], ["dog", "dogs"]])
    }
}
