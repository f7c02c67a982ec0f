import Dispatch
import Glibc
import RxEngine
import TestSupport
import Testing

/// On which scheduler operators with several source threads deliver, if they are to deliver on one of them alone.
@Suite(.balanced) struct DeliverySchedulerTests {
    private typealias Combine = @Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>

    private static let background = SerialDispatchQueueScheduler(internalSerialQueueName: "background")

    /// Operators that deliver on the scheduler of their first source, whatever the other source does.
    private static let combinations: [(name: String, combine: Combine)] = [
        ("withLatestFrom", { $0.withLatestFrom($1) }),
        ("sample", { $1.sample($0) }),
        ("timeout", { first, _ in first.timeout(.microseconds(200), other: first, scheduler: background) }),
    ]

    @Test(arguments: combinations.indices) func deliversOnThreadOfFirstSource(_ index: Int) {
        let (name, combine) = Self.combinations[index]
        let sources = (PublishSubject<Int>(), PublishSubject<Int>())
        let first = Cell<UInt>(0)
        let count = Cell(0)
        let elsewhere = Cell(0)
        let isOver = Cell(false)
        let subscription = combine(sources.0, sources.1).subscribe(onNext: { _ in
            count.update { $0 += 1 }
            if UInt(pthread_self()) != first.value { elsewhere.update { $0 += 1 } }
        })
        inParallel(2) { thread in
            if thread == 0 {
                first.update { $0 = UInt(pthread_self()) }
                for value in 0..<200_000 { sources.0.onNext(value) }
                isOver.update { $0 = true }
            } else {
                while !isOver.value { for value in 0..<100 { sources.1.onNext(value) } }
            }
        }
        subscription.dispose()
        #expect(count.value > 0, "\(name)")
        #expect(elsewhere.value == 0, "\(name)")
    }

    private typealias Move = @Sendable (Observable<Int>, SerialDispatchQueueScheduler) -> Observable<Int>

    /// Operators that deliver on a scheduler, wherever their source emits.
    private static let moves: [(name: String, move: Move)] = [
        ("delay", { $0.delay(.microseconds(20), scheduler: $1) }),
        ("debounce", { $0.debounce(.nanoseconds(1), scheduler: $1) }),
        ("observe(on:)", { $0.observe(on: $1) }),
    ]

    private static let key = DispatchSpecificKey<Void>()

    @Test(arguments: moves.indices) func deliversOnScheduler(_ index: Int) async throws {
        let (name, move) = Self.moves[index]
        let queue = DispatchQueue(label: "here")
        queue.setSpecific(key: Self.key, value: ())
        let scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "on it")
        let source = PublishSubject<Int>()
        let count = Cell(0)
        let elsewhere = Cell(0)
        let subscription = move(source, scheduler).subscribe(onNext: { _ in
            count.update { $0 += 1 }
            if DispatchQueue.getSpecific(key: Self.key) == nil { elsewhere.update { $0 += 1 } }
        })
        for value in 0..<200_000 { source.onNext(value) }
        try await eventually("\(name) emitted something") { count.value > 0 }
        subscription.dispose()
        #expect(elsewhere.value == 0, "\(name)")
    }
}
