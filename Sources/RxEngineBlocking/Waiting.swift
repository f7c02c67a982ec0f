import Dispatch
import FoundationEssentials
import RxEngine

extension BlockingObservable {
    /// Runs the source until the requested elements have arrived.
    ///
    /// - Throws: the error that ended the run.
    func elements(_ requested: RequestedElements) throws -> [Element] {
        let (elements, error) = wait(for: requested)
        if let error { throw error }
        return elements
    }

    /// Runs the source until the requested elements have arrived.
    func wait(for requested: RequestedElements) -> (elements: [Element], error: (any Error)?) {
        if let timeout, !(timeout > 0) { return ([], RxError.timeout) }
        let run = BlockingRun<Element>(requested)
        let timer = limit.map { limit in
            SerialDispatchQueueScheduler(internalSerialQueueName: "rx.blocking.timeout")
                .scheduleRelative((), dueTime: limit) {
                    run.end(RxError.timeout)
                    return Disposables.create()
                }
        }
        defer { timer?.dispose() }
        run.start(source)
        return run.wait()
    }

    /// The timeout as a scheduler's interval; `nil` if there is none or if it does not fit a number of nanoseconds.
    private var limit: RxTimeInterval? {
        guard let nanoseconds = timeout.map({ ($0 * 1_000_000_000).rounded(.up) }) else { return nil }
        return Int(exactly: nanoseconds).map(RxTimeInterval.nanoseconds)
    }
}
