import Synchronization

#if DEBUG && canImport(Runtime)
import Runtime
#endif

/// Closures that a program sets to observe errors, subscriptions and other events in all sequences.
///
/// The other events are dropped elements, assembly, blocked schedulers and debug output.
public enum Hooks {
    /// A closure that receives an error without a handler, and the call stack of the subscription.
    ///
    /// The call stack is empty unless ``Hooks/recordCallStackOnError`` is set.
    public typealias DefaultErrorHandler = @Sendable (_ subscriptionCallStack: [String], _ error: any Error) -> Void

    /// A closure that returns the call stack of the subscription that is being made.
    public typealias CustomCaptureSubscriptionCallstack = @Sendable () -> [String]

    private static let lock = Lock()
    // Safe although marked unsafe: `lock` guards it.
    private nonisolated(unsafe) static var errorHandler: DefaultErrorHandler = printInDebug
    // As above.
    private nonisolated(unsafe) static var captureCallStack: CustomCaptureSubscriptionCallstack = symbolsInDebug
    private static let recordsCallStack = Atomic(false)

    /// The handler of errors that reach a subscription without an error handler.
    ///
    /// The default prints them in debug builds and does nothing in release builds. It is called on the thread that
    /// delivers the error.
    @preconcurrency
    public static var defaultErrorHandler: DefaultErrorHandler {
        get { lock.locked { errorHandler } }
        set {
            let before = lock.locked {
                defer { errorHandler = newValue }
                return errorHandler
            }
            withExtendedLifetime(before) {}
        }
    }

    /// The closure that captures a subscription's call stack.
    ///
    /// The default returns the frames of the thread in debug builds, and nothing in release builds. It is called only
    /// if ``Hooks/recordCallStackOnError`` is set.
    @preconcurrency
    public static var customCaptureSubscriptionCallstack: CustomCaptureSubscriptionCallstack {
        get { lock.locked { captureCallStack } }
        set {
            let before = lock.locked {
                defer { captureCallStack = newValue }
                return captureCallStack
            }
            withExtendedLifetime(before) {}
        }
    }

    /// Whether subscriptions without an error handler capture their call stack (default: `false`).
    ///
    /// A capture costs more than a subscription.
    public static var recordCallStackOnError: Bool {
        get { recordsCallStack.load(ordering: .relaxed) }
        set { recordsCallStack.store(newValue, ordering: .relaxed) }
    }

    @usableFromInline
    static func callStack() -> [String] {
        guard recordsCallStack.load(ordering: .relaxed) else { return [] }
        return customCaptureSubscriptionCallstack()
    }

    private static let printInDebug: DefaultErrorHandler = { stack, error in
        #if DEBUG
        print("Unhandled error: \(error)")
        for frame in stack { print("  \(frame)") }
        #endif
    }

    private static let symbolsInDebug: CustomCaptureSubscriptionCallstack = {
        #if DEBUG
        return currentCallStack()
        #else
        return []
        #endif
    }

    #if DEBUG
    /// The frames above the caller, innermost first; none where the toolchain has no module Runtime.
    private static func currentCallStack() -> [String] {
        #if canImport(Runtime)
        guard let stack = try? Backtrace.capture().symbolicated() else { return [] }
        return stack.frames.map(\.description)
        #else
        return []
        #endif
    }
    #endif
}
