import TestSupport
import Testing

@testable import RxEngine

/// The cost of unsubscribing many subscribers; the others keep their elements and their order.
@Suite(.balanced) struct UnsubscribingTests {
    /// The two orders are compared with each other, so that neither the machine nor the build matters. If unsubscribing
    /// the oldest of n subscribers took time in proportion to n, the ascending order would take many times as long as
    /// the descending one.
    @Test(arguments: MulticastKind.allCases) func orderOfUnsubscribingDoesNotMatter(_ kind: MulticastKind) {
        func unsubscribe(_ order: Order) -> Int {
            let (source, _) = kind.make()
            let subscriptions = (0..<40_000).map { _ in source.subscribe() }
            let indices = order.indices(subscriptions.count)
            return processorTime { for index in indices { subscriptions[index].dispose() } }
        }
        #expect(isBelow(3, times: { unsubscribe(.descending) }) { unsubscribe(.ascending) })
        #expect(isBelow(5, times: { unsubscribe(.descending) }) { unsubscribe(.shuffled) })
    }

    /// An element after each unsubscription reaches the remaining subscribers, in subscription order, and the others
    /// are released.
    @Test(arguments: MulticastKind.allCases, Order.allCases)
    func remainingSubscribersReceiveInOrder(_ kind: MulticastKind, _ order: Order) {
        let (source, emit) = kind.make()
        let seen = Cell<[Int]>([])
        let count = 40
        var tokens: [WeakToken] = []
        let subscriptions = (0..<count).map { number in
            let token = Token()
            tokens.append(WeakToken(object: token))
            return source.subscribe(onNext: { [token] element in
                withExtendedLifetime(token) { if element == 1 { seen.append(number) } }
            })
        }
        for _ in 0...BiasedOwner.threshold { emit(0) }
        var remaining = Set(0..<count)
        for (round, index) in order.indices(count).enumerated() {
            subscriptions[index].dispose()
            remaining.remove(index)
            #expect(tokens[index].object == nil)
            // Some unsubscribe one after the other, without an element between them.
            if round % 3 == 2 { continue }
            seen.update { $0 = [] }
            emit(1)
            #expect(seen.value == remaining.sorted())
        }
    }

    /// A fan-out is changed in place only if no thread uses it; here it is in use, also by an element inside another.
    @Test(arguments: MulticastKind.allCases) func unsubscribingInsideNestedElementsKeepsOthers(_ kind: MulticastKind) {
        let (source, emit) = kind.make()
        let seen = Cell<[String]>([])
        let subscriptions = (0..<6).map { _ in SerialDisposable() }
        for number in 0..<6 {
            subscriptions[number].disposable = source.subscribe(onNext: { element in
                guard element > 0 else { return }
                seen.append("\(number):\(element)")
                if number == 1, element == 1 {
                    emit(2)
                    subscriptions[4].dispose()
                    subscriptions[0].dispose()
                }
                if number == 2, element == 2 { subscriptions[3].dispose() }
            })
        }
        for _ in 0...BiasedOwner.threshold { emit(0) }
        emit(1)
        #expect(seen.value == ["0:1", "1:1", "0:2", "1:2", "2:2", "4:2", "5:2", "2:1", "5:1"])
        seen.update { $0 = [] }
        subscriptions[2].dispose()
        emit(3)
        #expect(seen.value == ["1:3", "5:3"])
        for subscription in subscriptions { subscription.dispose() }
    }

    /// Many subscribers miss elements during their replay, each subscribed from inside the replay before.
    @Test func subscribersThatMissElementsDuringReplayReceiveThemInOrder() {
        let subject = ReplaySubject<Int>.create(bufferSize: 1)
        subject.onNext(0)
        let depth = 100
        let seen = Cell<[[Int]]>(Array(repeating: [], count: depth))
        let bag = DisposeBag()
        @Sendable func subscribe(_ number: Int) {
            subject.subscribe(onNext: { element in
                seen.update { $0[number].append(element) }
                guard element == number, number + 1 < depth else { return }
                subject.onNext(number + 1)
                subscribe(number + 1)
            }).disposed(by: bag)
        }
        subscribe(0)
        for number in 0..<depth { #expect(seen.value[number] == Array(number..<depth)) }
        subject.onNext(depth)
        for number in 0..<depth { #expect(seen.value[number].last == depth) }
        subject.dispose()
    }

    private final class Token: Sendable {}

    private struct WeakToken {
        weak var object: Token?
    }
}
