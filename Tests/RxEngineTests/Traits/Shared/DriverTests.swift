import Dispatch
import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// The guarantees of a driver and of a signal, on the real main thread.
@Suite(.balanced) struct DriverTests {
    @MainActor private final class Screen {
        var shown: [Int] = []
        var isDone = false
    }

    @MainActor @Test func elementsOfOtherThreadsAreDeliveredOnMainThread() async throws {
        let (screen, source) = (Screen(), PublishSubject<Int>())
        let bag = DisposeBag()
        let elsewhere = DispatchQueue(label: "elsewhere")
        // The closures' isolation is checked: they would trap on another thread.
        source.asDriver(onErrorJustReturn: -1)
            .drive(onNext: { screen.shown.append($0) }, onCompleted: { screen.isDone = true })
            .disposed(by: bag)
        source.asSignal(onErrorJustReturn: -1)
            .emit(onNext: { screen.shown.append($0 * 10) })
            .disposed(by: bag)
        elsewhere.async {
            source.onNext(1)
            source.onNext(2)
            source.onError(TestError())
        }
        try await eventually("all elements are delivered") { screen.isDone && screen.shown.count == 6 }
        #expect(screen.shown.filter { abs($0) < 10 } == [1, 2, -1])
        #expect(screen.shown.filter { abs($0) >= 10 } == [10, 20, -10])
    }

    @MainActor @Test func nothingIsDeferredOnMainThread() {
        let (screen, relay) = (Screen(), BehaviorRelay(value: 1))
        let subscription = relay.asDriver().drive(onNext: { screen.shown.append($0) })
        relay.accept(2)
        #expect(screen.shown == [1, 2])
        subscription.dispose()
        relay.accept(3)
        #expect(screen.shown == [1, 2])
    }

    @MainActor @Test func driverReplaysAndSignalDoesNot() {
        let source = PublishRelay<Int>()
        let (driver, signal) = (source.asDriver(onErrorJustReturn: -1), source.asSignal())
        let screens = (Screen(), Screen())
        let bag = DisposeBag()
        driver.drive().disposed(by: bag)
        signal.emit().disposed(by: bag)
        source.accept(1)
        driver.drive(onNext: { screens.0.shown.append($0) }).disposed(by: bag)
        signal.emit(onNext: { screens.1.shown.append($0) }).disposed(by: bag)
        source.accept(2)
        #expect(screens.0.shown == [1, 2])
        #expect(screens.1.shown == [2])
    }

    @MainActor @Test func driverForgetsElementWithoutSubscribers() {
        let (screen, source) = (Screen(), PublishRelay<Int>())
        let driver = source.asDriver(onErrorJustReturn: -1)
        let first = driver.drive()
        source.accept(1)
        first.dispose()
        driver.drive(onNext: { screen.shown.append($0) }).dispose()
        #expect(screen.shown == [])
    }

    @MainActor @Test func signalSubscribedOnOtherThreadDeliversOnMainThread() async throws {
        let isDone = Cell(false)
        let screen = Screen()
        await Task.detached {
            _ = Signal.just(1).startWith(0).emit(
                onNext: { screen.shown.append($0) }, onCompleted: { isDone.update { $0 = true } }
            )
        }.value
        try await eventually("the signal has ended") { isDone.value }
        #expect(screen.shown == [0, 1])
    }

    @Test func driveTrapsOffMainThread() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Driver.just(1).drive()
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("drive was called off the main thread"))
    }

    @Test func isolatedClosureTrapsIfSignalIsNotOnMainThread() async {
        await #expect(processExitsWith: .failure) {
            let source = PublishSubject<Int>()
            let subscription = Signal.createUnsafe(source: source).emit(onNext: { _ in })
            source.onNext(1)
            subscription.dispose()
        }
    }

    // MARK: - With an object

    @MainActor private final class Owner {
        var seen: [String] = []
    }

    @MainActor @Test func closuresWithObjectDoNotRunAfterItsRelease() {
        let source = PublishRelay<Int>()
        let log = Cell<[String]>([])
        var owner: Owner? = Owner()
        weak let weakOwner = owner
        var subscriptions: [any Disposable] = []
        if let owner {
            subscriptions = [
                source.asDriver(onErrorJustReturn: -1).drive(
                    with: owner,
                    onNext: { owner, value in
                        log.append("drive \(value)"); owner.seen.append("d\(value)")
                    },
                    onDisposed: { _ in log.append("disposed") }
                ),
                source.asSignal().emit(
                    with: owner,
                    onNext: { owner, value in
                        log.append("emit \(value)"); owner.seen.append("e\(value)")
                    },
                    onDisposed: { _ in log.append("disposed") }
                ),
            ]
        }
        source.accept(1)
        #expect(owner?.seen == ["d1", "e1"])
        owner = nil
        #expect(weakOwner == nil)
        source.accept(2)
        for subscription in subscriptions { subscription.dispose() }
        #expect(log.value == ["drive 1", "emit 1"])
    }

    @MainActor @Test func signalEndsWithItsObject() {
        let source = PublishRelay<Int>()
        let log = Cell<[String]>([])
        var owner: Owner? = Owner()
        var bag: DisposeBag? = DisposeBag()
        if let owner, let bag {
            source.asSignal().withUnretained(owner)
                .emit(onNext: { log.append("\($1)") }, onCompleted: { log.append("end") }).disposed(by: bag)
            source.asSignal().withUnretained(owner) { $1 * 10 }
                .emit(onNext: { log.append("\($0)") }).disposed(by: bag)
        }
        source.accept(1)
        owner = nil
        source.accept(2)
        #expect(log.value == ["1", "10", "end"])
        bag = nil
    }
}
