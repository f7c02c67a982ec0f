import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct RelayTests {
    /// Any relay of integers.
    private struct Relay: Sendable {
        let observable: Observable<Int>
        let infallible: Infallible<Int>
        let accept: @Sendable (Int) -> Void

        init(_ relay: PublishRelay<Int>) {
            (observable, infallible, accept) = (relay.asObservable(), relay.asInfallible(), { relay.accept($0) })
        }

        init(_ relay: BehaviorRelay<Int>) {
            (observable, infallible, accept) = (relay.asObservable(), relay.asInfallible(), { relay.accept($0) })
        }

        init(_ relay: ReplayRelay<Int>) {
            (observable, infallible, accept) = (relay.asObservable(), relay.asInfallible(), { relay.accept($0) })
        }
    }

    /// What a subscriber that subscribes between 2 and 3 receives.
    private static let rules: [(make: @Sendable () -> Relay, seen: [Int])] = [
        ({ Relay(PublishRelay()) }, [3]),
        ({ Relay(BehaviorRelay(value: 0)) }, [2, 3]),
        ({ Relay(ReplayRelay.create(bufferSize: 0)) }, [3]),
        ({ Relay(ReplayRelay.create(bufferSize: 1)) }, [2, 3]),
        ({ Relay(ReplayRelay.createUnbound()) }, [1, 2, 3]),
    ]

    @Test(arguments: rules.indices) func newSubscriberReceivesReplay(_ index: Int) {
        let relay = Self.rules[index].make()
        relay.accept(1)
        relay.accept(2)
        let seen = Cell<[Int]>([])
        let subscriptions = [
            relay.observable.subscribe(onNext: { seen.append($0) }),
            relay.infallible.subscribe(onNext: { seen.append($0) }),
        ]
        relay.accept(3)
        let values = Self.rules[index].seen
        #expect(seen.value == values.dropLast() + values.dropLast() + [3, 3])
        subscriptions.forEach { $0.dispose() }
        relay.accept(4)
        #expect(seen.value.count == 2 * values.count)
    }

    @Test func behaviorRelayHasItsLatestValue() {
        let relay = BehaviorRelay(value: "a")
        #expect(relay.value == "a")
        relay.accept("b")
        #expect(relay.value == "b")
    }

    @Test func behaviorRelayValueMayBeReadFromAnyThread() {
        let relay = BehaviorRelay(value: [0, 0, 0])
        inParallel(4) { thread in
            for number in 0..<2000 {
                if thread == 0 {
                    relay.accept([number, number, number])
                } else {
                    let value = relay.value
                    #expect(value[0] == value[2])
                }
            }
        }
    }

    @Test func negativeSizeTraps() async {
        await #expect(processExitsWith: .failure) { _ = ReplayRelay<Int>.create(bufferSize: -1) }
    }
}
