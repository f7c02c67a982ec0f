/// A thread's queue of work that runs when the thread's current work returns.
///
/// It keeps the stack shallow for long chains of synchronous sources, and interleaves sources that are subscribed to
/// together.
struct Trampoline: ~Copyable {
    private var items = RingBuffer<any TrampolineItem>()

    /// Whether items are queued.
    var hasWork: Bool { !items.isEmpty }

    /// Whether the calling thread runs inside its trampoline.
    @inline(__always)
    static var isEntered: Bool { ThreadState.current.pointee.isOnTrampoline }

    /// Queues an item.
    mutating func enqueue(_ item: any TrampolineItem) {
        items.append(item)
    }

    private mutating func next() -> (any TrampolineItem)? {
        if hasWork { return items.removeFirst() }
        // A burst does not keep its memory.
        if items.capacity > 1024 { items = RingBuffer() }
        return nil
    }

    /// Runs `body` and then, if the thread was not inside its trampoline before, all items that were queued meanwhile.
    @inline(__always)
    static func enter<Result>(_ body: () -> Result) -> Result {
        let thread = ThreadState.current
        if thread.pointee.isOnTrampoline { return body() }
        thread.pointee.isOnTrampoline = true
        defer { thread.pointee.isOnTrampoline = false }
        let result = body()
        if thread.pointee.trampoline.hasWork { runQueued(thread) }
        return result
    }

    private static func runQueued(_ thread: UnsafeMutablePointer<ThreadState>) {
        while let item = thread.pointee.trampoline.next() { item.run() }
    }
}

/// Work that the trampoline can queue.
protocol TrampolineItem: AnyObject {
    func run()
}
