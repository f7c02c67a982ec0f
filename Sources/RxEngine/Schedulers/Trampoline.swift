/// The queue of work that a thread has put off until the work it is doing returns.
///
/// It keeps deep chains of synchronous sources out of the stack, and lets sources that are subscribed together take
/// turns.
struct Trampoline {
    /// What waits, from `head` on. What has been taken is `nil`, so that nothing is let go of in here: an object's end
    /// may well come back to the trampoline.
    private var items: [(any TrampolineItem)?] = []
    private var head = 0

    /// Whether work is waiting.
    var hasWork: Bool { head < items.count }

    /// Whether this thread is on its trampoline.
    @inline(__always)
    static var isEntered: Bool { ThreadState.current.pointee.isOnTrampoline }

    /// Puts work off.
    mutating func enqueue(_ item: any TrampolineItem) {
        items.append(item)
    }

    private mutating func next() -> (any TrampolineItem)? {
        guard hasWork else {
            items.removeAll(keepingCapacity: items.capacity <= 1024)
            head = 0
            return nil
        }
        defer {
            head += 1
            // In bulk: the cost of an item stays constant, and the memory bounded by what waits.
            if head >= 64, head * 2 >= items.count {
                items.removeFirst(head)
                head = 0
            }
        }
        return items[head].take()
    }

    /// Runs `body`, and, where this thread was not on a trampoline yet, then everything put off meanwhile.
    @inline(__always)
    static func enter<Result>(_ body: () -> Result) -> Result {
        let thread = ThreadState.current
        if thread.pointee.isOnTrampoline { return body() }
        thread.pointee.isOnTrampoline = true
        defer { thread.pointee.isOnTrampoline = false }
        let result = body()
        if thread.pointee.trampoline.hasWork { workOff(thread) }
        return result
    }

    private static func workOff(_ thread: UnsafeMutablePointer<ThreadState>) {
        while let item = thread.pointee.trampoline.next() { item.run() }
    }
}

/// Work that can be put off.
protocol TrampolineItem: AnyObject {
    func run()
}
