import Dispatch
import RxEngine
import TestSupport
import Testing

/// Nothing is delivered after `dispose()` has returned, if both happen on one serial scheduler.
@Suite(.balanced) struct SerialDisposalTests {
    private typealias Assemble = @Sendable (SerialDispatchQueueScheduler) -> Observable<Int>

    private static let elsewhere = SerialDispatchQueueScheduler(internalSerialQueueName: "elsewhere")

    /// A source that emits as fast as it can, on a queue of its own.
    private static func flood() -> Observable<Int> {
        Observable<Int>.interval(.microseconds(20), scheduler: elsewhere)
    }

    private static let chains: [(name: String, assemble: Assemble)] = [
        ("interval", { .interval(.microseconds(20), scheduler: $0) }),
        ("interval.map", { Observable<Int>.interval(.microseconds(20), scheduler: $0).map { $0 } }),
        ("observe(on:)", { flood().observe(on: $0) }),
        ("observe(on:).map.filter", { flood().observe(on: $0).map { $0 }.filter { _ in true } }),
        ("observe(on:).share", { flood().observe(on: $0).share(replay: 1) }),
        ("subscribe(on:)", { Observable<Int>.interval(.microseconds(20), scheduler: $0).subscribe(on: $0) }),
        ("subscribe(on:).observe(on:)", { flood().subscribe(on: elsewhere).observe(on: $0) }),
        ("observe(on:).subscribe(on:)", { flood().observe(on: $0).subscribe(on: $0) }),
        ("delay", { flood().delay(.microseconds(50), scheduler: $0) }),
        ("debounce", { flood().observe(on: $0).debounce(.microseconds(1), scheduler: $0) }),
        ("throttle", { flood().observe(on: $0).throttle(.microseconds(50), scheduler: $0) }),
        ("merge", { Observable.merge(flood(), flood()).observe(on: $0) }),
    ]

    // Unchecked: touched on one serial queue only.
    private final class DeliveryLog: @unchecked Sendable {
        var isDisposed = false
        var seen = 0
        var late = 0
    }

    @Test(arguments: chains.indices) func nothingIsDeliveredAfterDispose(_ index: Int) async throws {
        let (name, assemble) = Self.chains[index]
        let queue = DispatchQueue(label: "serial")
        let scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "serial")
        for _ in 0..<50 {
            let log = DeliveryLog()
            let over = Cell(false)
            let subscription = SerialDisposable()
            subscription.disposable = assemble(scheduler).subscribe(onNext: { _ in
                if log.isDisposed { log.late += 1 }
                log.seen += 1
            })
            // An action of the same scheduler disposes the subscription after some elements.
            let check: any Disposable = scheduler.schedulePeriodic(
                (), startAfter: .microseconds(100), period: .microseconds(100)
            ) {
                if log.isDisposed {
                    over.update { $0 = true }
                } else if log.seen > 3 {
                    subscription.dispose()
                    log.isDisposed = true
                }
            }
            try await eventually("\(name) was disposed and had time to be late") { over.value }
            check.dispose()
            let drained = Cell(false)
            _ = scheduler.schedule(()) {
                drained.update { $0 = true }
                return Disposables.create()
            }
            try await eventually("the queue is empty") { drained.value }
            #expect(log.late == 0, "\(name)")
        }
    }
}
