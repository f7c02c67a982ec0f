import Dispatch
import Foundation

#if canImport(CoreFoundation)
import CoreFoundation
#endif

/// A wait of the main thread for the end of a run, during which the thread serves the main queue. Otherwise a run that
/// needs an action on the main scheduler would never end.
final class MainThread: Sendable {
    /// Whether the caller is the main thread.
    static var isCurrent: Bool { Thread.isMainThread }

    // Safe although marked unsafe: only the main thread accesses it.
    /// The run loop source of the innermost wait.
    private nonisolated(unsafe) static var innermostSource: CFRunLoopSource?

    private let ended: DispatchSemaphore
    // Safe although marked unsafe: any thread may signal a run loop source and wake a run loop.
    private nonisolated(unsafe) let wakeSource: CFRunLoopSource
    private nonisolated(unsafe) let loop: CFRunLoop

    /// Makes a wait for a semaphore.
    ///
    /// - Parameter ended: signalled when the run has ended.
    init(until ended: DispatchSemaphore) {
        self.ended = ended
        var context = CFRunLoopSourceContext()
        context.perform = { _ in }
        // A run loop treats two sources with the same info as one.
        context.info = Unmanaged.passUnretained(ended).toOpaque()
        wakeSource = CFRunLoopSourceCreate(nil, 0, &context)
        loop = CFRunLoopGetMain()
    }

    /// Wakes the main thread, after the semaphore was signalled. Any thread may call this.
    func wake() {
        CFRunLoopSourceSignal(wakeSource)
        CFRunLoopWakeUp(loop)
    }

    /// Sleeps until the run has ended. A wait may begin inside an action that an outer wait serves. It may then have
    /// consumed a wake-up of the outer wait, so it signals that again.
    func sleep() {
        let outer = MainThread.innermostSource
        MainThread.innermostSource = wakeSource
        CFRunLoopAddSource(loop, wakeSource, kCFRunLoopDefaultMode)
        while ended.wait(timeout: .now()) == .timedOut { CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1e9, true) }
        CFRunLoopRemoveSource(loop, wakeSource, kCFRunLoopDefaultMode)
        MainThread.innermostSource = outer
        if let outer { CFRunLoopSourceSignal(outer) }
    }
}
