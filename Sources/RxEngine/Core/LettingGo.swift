/// How a hundred thousand observables, each held by the next, are let go of in little stack.
///
/// The end of one is the end of what it alone held, from inside it. So no more than a few on a thread go inside each
/// other; what is further down is left to whoever on that thread began.
enum LettingGo {
    private static let mostNested: UInt32 = 16

    /// Lets go of an object now, or leaves it to whoever on this thread is letting go.
    @inline(never)
    static func leave(_ object: consuming AnyObject) {
        let thread = ThreadState.current
        thread.pointee.orphans.append(object)
        if thread.pointee.lettingGo == 0 { begin(thread) {} }
    }

    /// Lets go now, or puts it off.
    ///
    /// - Parameters:
    ///   - now: lets go.
    ///   - later: hands over what lets go when it is let go of.
    @inline(__always)
    static func leave(_ now: () -> Void, orKeepIn later: () -> () -> Void) {
        let thread = ThreadState.current
        switch thread.pointee.lettingGo {
        case 0:
            begin(thread, now)
        case ..<mostNested:
            thread.pointee.lettingGo += 1
            now()
            thread.pointee.lettingGo -= 1
        default:
            thread.pointee.orphans.append(Orphan(later()))
        }
    }

    /// Runs what lets go of something, and then lets go of what that left.
    @inline(__always)
    private static func begin(_ thread: UnsafeMutablePointer<ThreadState>, _ body: () -> Void) {
        thread.pointee.lettingGo = 1
        body()
        while let orphan = thread.pointee.orphans.popLast() { withExtendedLifetime(orphan) {} }
        thread.pointee.lettingGo = 0
    }

    /// A closure as an object.
    private final class Orphan {
        private let content: () -> Void

        init(_ content: @escaping () -> Void) {
            self.content = content
        }
    }
}
