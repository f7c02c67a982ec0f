// modes: 5 6
// Tests written for RxTest and RxBlocking.
import RxEngine
import RxEngineBlocking
import RxEngineTest
import RxEngineXCTest
import XCTest

enum Failure: Error { case refused }

extension TestScheduler {
    func record<Source: ObservableConvertibleType>(
        _ source: Source, bag: DisposeBag
    ) -> TestableObserver<Source.Element> {
        let observer = createObserver(Source.Element.self)
        source.asObservable().subscribe(observer).disposed(by: bag)
        return observer
    }
}

final class SearchTests: XCTestCase {
    var scheduler: TestScheduler!
    var bag: DisposeBag!

    override func setUp() {
        super.setUp()
        scheduler = TestScheduler(initialClock: 0)
        bag = DisposeBag()
    }

    func testTimes() {
        let source = scheduler.createHotObservable([.next(150, 1), .next(210, 2), .next(220, 3), .completed(300)])
        let result = scheduler.start { source.map { $0 * 10 } }
        XCTAssertEqual(result.events, [.next(210, 20), .next(220, 30), .completed(300)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 300)])
    }

    func testErrors() {
        let source = scheduler.createColdObservable([.next(5, 1), .error(10, Failure.refused)])
        let scheduler = self.scheduler!
        let result = scheduler.start(created: 50, subscribed: 100, disposed: 400) {
            source.retry(when: { (errors: Observable<Failure>) in
                errors.enumerated().flatMap { attempt, error -> Observable<Int> in
                    attempt > 0 ? .error(error) : .timer(.seconds(20), scheduler: scheduler)
                }
            })
        }
        XCTAssertEqual(result.events, [.next(105, 1), .next(135, 1), .error(140, Failure.refused)])
    }

    func testElements() {
        let taps = scheduler.createHotObservable([.next(10, ()), .next(12, ()), .next(30, ())])
        let count = taps.throttle(.seconds(10), scheduler: scheduler).scan(0) { count, _ in count + 1 }
        let observer = scheduler.record(count, bag: bag)
        scheduler.start()
        XCTAssertEqual(observer.events, [.next(10, 1), .next(20, 2), .next(30, 3)])
        XCTAssertRecordedElements(observer.events, [1, 2, 3])
        XCTAssertEqual(observer.events.map(\.time), [10, 20, 30])
        XCTAssertEqual(observer.events.compactMap { $0.value.element }, [1, 2, 3])
    }

    func testOptionals() {
        let observer = scheduler.createObserver(Int?.self)
        Observable.of(1, nil).subscribe(observer).disposed(by: bag)
        XCTAssertEqual(observer.events, [.next(0, 1), .next(0, nil), .completed(0)])
    }

    func testDrivers() {
        SharingScheduler.mock(scheduler: scheduler) {
            let observer = scheduler.createObserver(String.self)
            let source = scheduler.createColdObservable(Recorded.events(.next(10, 1), .completed(20)))
            source.asDriver(onErrorJustReturn: 0).map { "\($0)" }.drive(observer).disposed(by: bag)
            scheduler.start()
            XCTAssertEqual(observer.events, [.next(11, "1"), .completed(21)])
        }
    }

    func testWaiting() throws {
        XCTAssertEqual(try Observable.of(1, 2).toBlocking(timeout: 1).toArray(), [1, 2])
        XCTAssertEqual(try Observable.just(1).observe(on: MainScheduler.instance).toBlocking().first(), 1)
        XCTAssertThrowsError(try Observable<Int>.error(Failure.refused).toBlocking().single())
        switch Single.just(1).toBlocking().materialize() {
        case .completed(let elements): XCTAssertEqual(elements, [1])
        case .failed(_, let error): XCTFail("\(error)")
        }
    }

    func testTraits() {
        let single: [SingleEvent<Int>] = [.success(1), .failure(Failure.refused)]
        XCTAssertEqual(single, [.success(1), .failure(Failure.refused)])
        let maybe: [MaybeEvent<Int>] = [.success(1), .completed]
        XCTAssertEqual(maybe, [.success(1), .completed])
        XCTAssertEqual([CompletableEvent.completed], [.completed])
    }
}
