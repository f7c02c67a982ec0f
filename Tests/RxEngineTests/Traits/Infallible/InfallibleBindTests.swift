import RxEngine
import TestSupport
import Testing

/// Tests of what an infallible can be bound to.
@Suite(.balanced) struct InfallibleBindTests {
    @Test func toObservers() {
        let log = Cell<[String]>([])
        let first = AnyObserver<Int> { log.append("first \($0)") }
        let second = AnyObserver<Int> { log.append("second \($0)") }
        let optional = AnyObserver<Int?> { log.append("optional \($0)") }
        let source = Infallible.just(1)
        source.bind(to: first).dispose()
        #expect(log.value == ["first next(1)", "first completed"])
        log.update { $0 = [] }
        source.bind(to: first, second).dispose()
        #expect(log.value == ["first next(1)", "second next(1)", "first completed", "second completed"])
        log.update { $0 = [] }
        source.bind(to: optional).dispose()
        #expect(log.value == ["optional next(Optional(1))", "optional completed"])
        log.update { $0 = [] }
        source.bind(to: optional, optional).dispose()
        #expect(log.value.count == 4)
    }

    @Test func toFunctions() {
        let source = Infallible.just(1)
        #expect(source.bind(to: { _ in "bound" }) == "bound")
        #expect(
            source.bind(to: { _ in { (suffix: String) in "bound " + suffix } }, curriedArgument: "twice")
                == "bound twice")
    }

    @Test func toClosures() {
        final class Target: Sendable {}
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        let source = subject.asInfallible(onErrorJustReturn: 0)
        var target: Target? = Target()
        let plain = source.bind(onNext: { log.append("\($0)") })
        let others = target.map { source.bind(with: $0, onNext: { _, value in log.append("with \(value)") }) }
        subject.onNext(1)
        target = nil
        subject.onNext(2)
        #expect(log.value == ["1", "with 1", "2"])
        plain.dispose()
        others?.dispose()
    }

    @Test func toRelays() {
        let source = Infallible.of(1, 2)
        let log = Cell<[String]>([])
        let publish = PublishRelay<Int>()
        let publishOptional = PublishRelay<Int?>()
        let bag = DisposeBag()
        publish.asObservable().subscribe(onNext: { log.append("\($0)") }).disposed(by: bag)
        publishOptional.asObservable().subscribe(onNext: { log.append("\($0 ?? 0)") }).disposed(by: bag)
        source.bind(to: publish).dispose()
        source.bind(to: publishOptional).dispose()
        #expect(log.value == ["1", "2", "1", "2"])
        let behavior = (BehaviorRelay(value: 0), BehaviorRelay(value: 0), BehaviorRelay<Int?>(value: nil))
        source.bind(to: behavior.0, behavior.1).dispose()
        source.bind(to: behavior.2).dispose()
        #expect(behavior.0.value == 2)
        #expect(behavior.1.value == 2)
        #expect(behavior.2.value == 2)
        let replay = ReplayRelay<Int>.create(bufferSize: 1)
        let replayOptional = ReplayRelay<Int?>.create(bufferSize: 1)
        source.bind(to: replay).dispose()
        source.bind(to: replayOptional).dispose()
        log.update { $0 = [] }
        replay.asObservable().subscribe(onNext: { log.append("\($0)") }).disposed(by: bag)
        replayOptional.asObservable().subscribe(onNext: { log.append("\($0 ?? 0)") }).disposed(by: bag)
        #expect(log.value == ["2", "2"])
    }
}
