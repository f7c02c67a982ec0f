import CoreFoundation
import Dispatch
import Foundation

/// Where the main thread sleeps until a run is over, and serves the main queue meanwhile: what a source schedules on
/// the main scheduler would otherwise wait for the thread that waits for it.
final class MainThread: Sendable {
    /// Whether the caller is the main thread.
    static var isCurrent: Bool { Thread.isMainThread }

    // Unsafe in name only: used by the main thread alone.
    /// What wakes the innermost wait that goes on.
    private nonisolated(unsafe) static var innermost: CFRunLoopSource?

    private let over: DispatchSemaphore
    // Unsafe: a run loop and its sources may be told from any thread.
    private nonisolated(unsafe) let alarm: CFRunLoopSource
    private nonisolated(unsafe) let loop: CFRunLoop

    /// - Parameter over: what is signalled when the run is over.
    init(until over: DispatchSemaphore) {
        self.over = over
        var context = CFRunLoopSourceContext()
        context.perform = { _ in }
        // A run loop takes two sources with the same info for one.
        context.info = Unmanaged.passUnretained(over).toOpaque()
        alarm = CFRunLoopSourceCreate(nil, 0, &context)
        loop = CFRunLoopGetMain()
    }

    /// Wakes the thread, after the signal. From any thread.
    func wake() {
        CFRunLoopSourceSignal(alarm)
        CFRunLoopWakeUp(loop)
    }

    /// Sleeps until the run is over. A wait may begin in what another one serves: since it may have been told what was
    /// meant for the outer one, it passes that on.
    func sleep() {
        let outer = MainThread.innermost
        MainThread.innermost = alarm
        CFRunLoopAddSource(loop, alarm, kCFRunLoopDefaultMode)
        while over.wait(timeout: .now()) == .timedOut { CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1e9, true) }
        CFRunLoopRemoveSource(loop, alarm, kCFRunLoopDefaultMode)
        MainThread.innermost = outer
        if let outer { CFRunLoopSourceSignal(outer) }
    }
}
