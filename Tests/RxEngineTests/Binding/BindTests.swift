import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct BindTests {
    private let scheduler = TestScheduler(initialClock: 0)
    private static let events: [Recorded<Event<Int>>] = [.next(210, 1), .next(220, 2), .completed(230)]

    private func run(_ bind: @escaping @Sendable (Observable<Int>) -> any Disposable) -> [Subscription] {
        let hot = scheduler.createHotObservable(Self.events)
        let subscription = SerialDisposable()
        scheduler.scheduleAt(200) { subscription.disposable = bind(hot.asObservable()) }
        scheduler.start()
        subscription.dispose()
        return hot.subscriptions
    }

    @Test(arguments: 1...3) func bindDeliversToAllObserversOverOneSubscription(count: Int) {
        let observers = (0..<3).map { _ in scheduler.createObserver(Int.self) }
        let subscriptions = run { source in
            switch count {
            case 1: source.bind(to: observers[0])
            case 2: source.bind(to: observers[0], observers[1])
            default: source.bind(to: observers[0], observers[1], observers[2])
            }
        }
        #expect(subscriptions == [Subscription(200, 230)])
        for (index, observer) in observers.enumerated() {
            #expect(observer.events == (index < count ? Self.events : []))
        }
    }

    @Test func bindAcceptsObserversOfOptionals() {
        let observers = (0..<2).map { _ in scheduler.createObserver(Int?.self) }
        let subscriptions = run { $0.bind(to: observers[0], observers[1]) }
        #expect(subscriptions == [Subscription(200, 230)])
        for observer in observers { #expect(observer.events == [.next(210, 1), .next(220, 2), .completed(230)]) }
    }

    @Test func bindPassesSequenceToFunction() {
        let observer = scheduler.createObserver(Int.self)
        _ = run { $0.bind { source in source.map { $0 * 10 }.subscribe(observer) } }
        #expect(observer.events == [.next(210, 10), .next(220, 20), .completed(230)])
    }

    @Test func bindPassesSequenceAndArgumentToCurriedFunction() {
        let observer = scheduler.createObserver(String.self)
        func rows(_ source: Observable<Int>) -> (@escaping @Sendable (Int) -> String) -> any Disposable {
            { source.map($0).subscribe(observer) }
        }
        let hot = scheduler.createHotObservable(Self.events)
        let subscription = hot.asObservable().bind(to: rows) { "row \($0)" }
        scheduler.start()
        subscription.dispose()
        #expect(observer.events == [.next(210, "row 1"), .next(220, "row 2"), .completed(230)])
    }

    @Test func bindRunsClosures() {
        let log = Cell<[String]>([])
        var owner: Cell<Int>? = Cell(7)
        let source = PublishSubject<Int>()
        let bag = DisposeBag()
        source.bind(onNext: { log.append("\($0)") }).disposed(by: bag)
        if let owner {
            source.bind(with: owner) { owner, value in log.append("\(owner.value) \(value)") }.disposed(by: bag)
        }
        source.onNext(1)
        owner = nil
        source.onNext(2)
        #expect(log.value == ["1", "7 1", "2"])
    }

    #if DEBUG
    @Test func errorTrapsInDebugBuild() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Observable<Int>.error(TestError("oh")).bind(onNext: { _ in })
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("takes none: oh"))
    }
    #endif
}
