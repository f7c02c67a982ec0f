/// Releases a long chain of objects, each retained by the next, in little stack.
///
/// The deinitializer of an object releases what only that object retains, so a chain of a hundred thousand observables
/// would nest as many calls. Here at most a few releases nest on a thread; the outermost one releases what is deeper in
/// a loop.
enum DeferredRelease {
    private static let maxDepth: UInt32 = 16

    /// Releases an object now or, inside another release on this thread, at the end of the outermost one.
    @inline(never)
    static func release(_ object: consuming AnyObject) {
        let thread = ThreadState.current
        thread.pointee.deferred.append(object)
        if thread.pointee.releaseDepth == 0 { releaseOutermost(thread) {} }
    }

    /// Releases now, or defers the release.
    ///
    /// - Parameters:
    ///   - now: releases.
    ///   - later: returns a closure that retains the objects to release. Releasing the closure releases them.
    @inline(__always)
    static func release(_ now: () -> Void, orDefer later: () -> () -> Void) {
        let thread = ThreadState.current
        switch thread.pointee.releaseDepth {
        case 0:
            releaseOutermost(thread, now)
        case ..<maxDepth:
            thread.pointee.releaseDepth += 1
            now()
            thread.pointee.releaseDepth -= 1
        default:
            thread.pointee.deferred.append(DeferredClosure(later()))
        }
    }

    /// Runs the outermost release on this thread, and then the releases that were deferred inside it.
    @inline(__always)
    private static func releaseOutermost(_ thread: UnsafeMutablePointer<ThreadState>, _ body: () -> Void) {
        thread.pointee.releaseDepth = 1
        body()
        while let object = thread.pointee.deferred.popLast() { withExtendedLifetime(object) {} }
        thread.pointee.releaseDepth = 0
    }

    /// An object that retains a closure.
    private final class DeferredClosure {
        private let closure: () -> Void

        init(_ closure: @escaping () -> Void) {
            self.closure = closure
        }
    }
}
