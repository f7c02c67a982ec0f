import Dispatch
import FoundationEssentials
import RxEngine

extension BlockingObservable {
    /// Runs the source for as long as the wanted elements take.
    ///
    /// - Throws: the error that ended the run.
    func elements(_ wanted: Wanted) throws -> [Element] {
        let (elements, error) = wait(for: wanted)
        if let error { throw error }
        return elements
    }

    /// Runs the source for as long as the wanted elements take.
    func wait(for wanted: Wanted) -> (elements: [Element], error: (any Error)?) {
        if let timeout, !(timeout > 0) { return ([], RxError.timeout) }
        let run = BlockingRun<Element>(wanted)
        let alarm = limit.map { limit in
            SerialDispatchQueueScheduler(internalSerialQueueName: "rx.blocking.timeout")
                .scheduleRelative((), dueTime: limit) {
                    run.end(RxError.timeout)
                    return Disposables.create()
                }
        }
        defer { alarm?.dispose() }
        run.start(source)
        return run.wait()
    }

    /// The timeout as schedulers take it, `nil` where there is none or it is too long to count in nanoseconds.
    private var limit: RxTimeInterval? {
        guard let nanoseconds = timeout.map({ ($0 * 1_000_000_000).rounded(.up) }) else { return nil }
        return Int(exactly: nanoseconds).map(RxTimeInterval.nanoseconds)
    }
}
