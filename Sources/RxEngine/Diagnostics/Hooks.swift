import Synchronization

#if DEBUG
import Runtime
#endif

/// The points where a program sees what the engine would otherwise keep to itself.
public enum Hooks {
    /// Takes an error that no observer handles, and the call stack of the subscription it ended (see
    /// ``Hooks/recordCallStackOnError``).
    public typealias DefaultErrorHandler = @Sendable (_ subscriptionCallStack: [String], _ error: any Error) -> Void

    /// Tells the call stack of a subscription that is being made.
    public typealias CustomCaptureSubscriptionCallstack = @Sendable () -> [String]

    private static let lock = Lock()
    // Unsafe in name only: behind the lock.
    private nonisolated(unsafe) static var errorHandler: DefaultErrorHandler = printInDebug
    // As above.
    private nonisolated(unsafe) static var captureCallStack: CustomCaptureSubscriptionCallstack = symbolsInDebug
    private static let recordsCallStack = Atomic(false)

    /// Called with every error that reaches a subscription without an error handler. The default prints it in debug
    /// builds and does nothing in release builds.
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

    /// Captures a subscription's call stack. The default names the thread's frames in debug builds and nothing in
    /// release builds.
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

    /// Whether subscriptions without an error handler capture their call stack for it. Off unless switched on: a
    /// capture costs more than a subscription.
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
    /// The frames above the caller, innermost first.
    private static func currentCallStack() -> [String] {
        guard let stack = try? Backtrace.capture().symbolicated() else { return [] }
        return stack.frames.map(\.description)
    }
    #endif
}
