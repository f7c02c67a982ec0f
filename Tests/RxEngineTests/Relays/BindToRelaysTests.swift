import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct BindToRelaysTests {
    private let source = PublishSubject<Int>()

    /// Binds, emits 1, 2 and the end, and emits 3 through the relay, which is still alive.
    private func check(_ bind: (DisposeBag) -> [Observable<Int?>], also accept: () -> Void) {
        let bag = DisposeBag()
        let seen = Cell<[[Int?]]>([])
        let relays = bind(bag)
        for (index, relay) in relays.enumerated() {
            seen.append([])
            relay.subscribe { event in
                if let element = event.element {
                    seen.update { $0[index].append(element) }
                } else {
                    Issue.record("ended")
                }
            }.disposed(by: bag)
        }
        source.onNext(1)
        source.onNext(2)
        source.onCompleted()
        accept()
        #expect(seen.value == relays.map { _ in [1, 2, 3] })
        #expect(!source.hasObservers)
    }

    @Test func bindToPublishRelays() {
        let relays = (PublishRelay<Int>(), PublishRelay<Int>(), PublishRelay<Int?>())
        check({
            source.bind(to: relays.0, relays.1).disposed(by: $0)
            source.bind(to: relays.2).disposed(by: $0)
            return [relays.0.map { $0 }, relays.1.map { $0 }, relays.2.asObservable()]
        }) {
            relays.0.accept(3)
            relays.1.accept(3)
            relays.2.accept(3)
        }
    }

    @Test func bindToBehaviorRelays() {
        let relays = (BehaviorRelay(value: 0), BehaviorRelay<Int?>(value: nil))
        check({
            source.bind(to: relays.0).disposed(by: $0)
            source.bind(to: relays.1).disposed(by: $0)
            return [relays.0.map { $0 }.skip(1), relays.1.skip(1)]
        }) {
            #expect(relays.0.value == 2)
            relays.0.accept(3)
            relays.1.accept(3)
        }
    }

    @Test func bindToReplayRelays() {
        let relays = (ReplayRelay<Int>.createUnbound(), ReplayRelay<Int?>.create(bufferSize: 1))
        check({
            source.bind(to: relays.0).disposed(by: $0)
            source.bind(to: relays.1).disposed(by: $0)
            return [relays.0.map { $0 }, relays.1.asObservable()]
        }) {
            relays.0.accept(3)
            relays.1.accept(3)
        }
    }

    #if DEBUG
    @Test func errorTrapsInDebugBuild() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Observable<Int>.error(TestError("oh")).bind(to: PublishRelay())
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("takes none: oh"))
    }
    #endif
}
