import Dispatch
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct DisposeBagTests {
    private final class Member: Cancelable {
        private let log: Cell<[Int]>
        private let number: Int
        private let state = Cell(false)
        private let onAsked: @Sendable () -> Void

        init(_ number: Int, _ log: Cell<[Int]>, onAsked: @escaping @Sendable () -> Void = {}) {
            self.number = number
            self.log = log
            self.onAsked = onAsked
        }

        var isDisposed: Bool {
            onAsked()
            return state.value
        }

        func dispose() {
            if !state.value { log.append(number) }
            state.update { $0 = true }
        }
    }

    #if TRACE_RESOURCES
    @Test func bagDropsFinishedSubscriptions() {
        let bag = DisposeBag()
        let subject = PublishSubject<Int>()
        subject.subscribe { _ in }.disposed(by: bag)
        let before = Resources.count(of: .subscription)
        for number in 0..<10_000 {
            Observable.of(number).subscribe { _ in }.disposed(by: bag)
            #expect(Resources.count(of: .subscription) <= before + 64)
        }
        #expect(subject.hasObservers)
    }
    #endif

    @Test func liveMembersKeepTheirOrder() {
        let log = Cell<[Int]>([])
        var bag: DisposeBag? = DisposeBag()
        for number in 0..<1000 {
            let member = Member(number, log)
            bag?.insert(member)
            bag?.insert([Disposables.create()])
            if number % 3 != 0 { member.dispose() }
        }
        let finished = log.value.count
        bag = nil
        #expect(Array(log.value.dropFirst(finished)) == stride(from: 0, to: 1000, by: 3).map { $0 })
    }

    /// The bag asks its members outside its lock whether they are disposed.
    @Test func memberMayUseBag() {
        let log = Cell<[Int]>([])
        var bag: DisposeBag? = DisposeBag()
        do {
            let returning = Cell<DisposeBag?>(bag)
            for number in 0..<100 {
                bag?.insert(
                    Member(number, log) { returning.value?.insert(Disposables.create { log.append(-1) }) })
            }
            returning.update { $0 = nil }
        }
        #expect(log.value == [])
        bag = nil
        #expect(log.value.filter { $0 >= 0 } == Array(0..<100))
        #expect(log.value.count > 100)
    }

    @Test func concurrentInsertsLoseNothing() {
        let log = Cell<[Int]>([])
        var bag: DisposeBag? = DisposeBag()
        if let bag {
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for number in 0..<500 {
                    let member = Member(thread * 500 + number, log)
                    if number % 2 == 0 { member.dispose() }
                    bag.insert(member)
                }
            }
        }
        bag = nil
        #expect(log.value.sorted() == Array(0..<2000))
    }
}
