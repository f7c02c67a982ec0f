import Dispatch
import Glibc
import RxEngine

extension Journal {
    /// Returns the entries of a journal that match a query, and blocks until they are read.
    ///
    /// - Parameters:
    ///   - query: the entries; it must not follow the journal.
    ///   - limit: the most entries.
    public static func read(_ query: JournalQuery, limit: Int = .max) throws(SystemError) -> [JournalEntry] {
        precondition(!query.follows, "a query that follows the journal has no end")
        let found = Locked<(entries: [JournalEntry], error: SystemError?)>(([], nil))
        let isOver = DispatchSemaphore(value: 0)
        let subscription = entries(query).take(limit).subscribe(
            onNext: { entry in found.withLock { $0.entries.append(entry) } },
            onError: { error in
                found.withLock { $0.error = error as? SystemError ?? SystemError(EIO, "reading \(query.location)") }
                isOver.signal()
            }, onCompleted: { isOver.signal() })
        isOver.wait()
        subscription.dispose()
        let (entries, error) = found.withLock(\.self)
        if let error { throw error }
        return entries
    }
}
