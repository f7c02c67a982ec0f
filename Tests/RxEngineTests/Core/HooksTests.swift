import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct HooksTests {
    /// Runs `body`, which sets hooks, and restores them. Tests of this kind run one at a time.
    private func keepingHooks(_ body: () -> Void) {
        let handler = Hooks.defaultErrorHandler
        let capture = Hooks.customCaptureSubscriptionCallstack
        let records = Hooks.recordCallStackOnError
        body()
        Hooks.defaultErrorHandler = handler
        Hooks.customCaptureSubscriptionCallstack = capture
        Hooks.recordCallStackOnError = records
    }

    @Test func unhandledErrorReachesHook() {
        let log = Cell<[String]>([])
        keepingHooks {
            Hooks.defaultErrorHandler = { stack, error in log.append("\(stack) \(error)") }
            _ = Observable<Int>.error(TestError("e")).subscribe()
        }
        #expect(log.value == ["[] e"])
    }

    @Test func handledErrorDoesNotReachHook() {
        let log = Cell<[String]>([])
        keepingHooks {
            Hooks.defaultErrorHandler = { _, error in log.append("\(error)") }
            _ = Observable<Int>.error(TestError("e")).subscribe(onError: { _ in })
            _ = Observable<Int>.error(TestError("e")).subscribe { _ in }
        }
        #expect(log.value == [])
    }

    @Test func callStackIsCapturedOnRequest() {
        let log = Cell<[[String]]>([])
        keepingHooks {
            Hooks.defaultErrorHandler = { stack, _ in log.append(stack) }
            Hooks.customCaptureSubscriptionCallstack = { ["here"] }
            _ = Observable<Int>.error(TestError("e")).subscribe()
            Hooks.recordCallStackOnError = true
            _ = Observable<Int>.error(TestError("e")).subscribe()
        }
        #expect(log.value == [[], ["here"]])
    }

    @Test func defaultCaptureNamesSubscriber() {
        let log = Cell<[[String]]>([])
        keepingHooks {
            Hooks.defaultErrorHandler = { stack, _ in log.append(stack) }
            Hooks.recordCallStackOnError = true
            _ = Observable<Int>.error(TestError("e")).subscribe()
        }
        #expect(log.value.first?.contains { $0.contains("defaultCaptureNamesSubscriber") } == true)
    }

    /// A closure that a hook replaces may be the last owner of an object that reads the same hook when it is freed.
    ///
    /// - Parameters:
    ///   - read: reads the hook.
    ///   - set: sets the hook to a closure that holds the object, and returns a closure that restores it.
    private func replacedClosureMayReadHook(
        _ read: @escaping @Sendable () -> Void, _ set: @escaping @Sendable (Reader) -> () -> Void
    ) async throws {
        let wasFreed = Cell(false)
        let thread = Thread {
            var reader: Reader? = Reader {
                read()
                wasFreed.update { $0 = true }
            }
            let reset = reader.take().map(set)
            reset?()
        }
        try await eventually("the object is freed outside the lock") { wasFreed.value }
        // If the object was freed under the lock, the thread never ends.
        if wasFreed.value { thread.join() }
    }

    private final class Reader: Sendable {
        private let atEnd: @Sendable () -> Void

        init(_ atEnd: @escaping @Sendable () -> Void) {
            self.atEnd = atEnd
        }

        deinit {
            atEnd()
        }
    }

    @Test func replacedDebugFormatIsFreedOutsideLock() async throws {
        try await replacedClosureMayReadHook({ _ = Hooks.debugFormat }) { reader in
            let before = Hooks.debugFormat
            Hooks.debugFormat = DebugFormat { _, _ in withExtendedLifetime(reader) { "" } }
            return { Hooks.debugFormat = before }
        }
    }

    @Test func replacedDebugOutputIsFreedOutsideLock() async throws {
        try await replacedClosureMayReadHook({ _ = Hooks.debugOutput }) { reader in
            let before = Hooks.debugOutput
            Hooks.debugOutput = { _ in withExtendedLifetime(reader) {} }
            return { Hooks.debugOutput = before }
        }
    }

    @Test func replacedErrorHandlerIsFreedOutsideLock() async throws {
        try await replacedClosureMayReadHook({ _ = Hooks.defaultErrorHandler }) { reader in
            let before = Hooks.defaultErrorHandler
            Hooks.defaultErrorHandler = { _, _ in withExtendedLifetime(reader) {} }
            return { Hooks.defaultErrorHandler = before }
        }
    }

    @Test func replacedCallStackCaptureIsFreedOutsideLock() async throws {
        try await replacedClosureMayReadHook({ _ = Hooks.customCaptureSubscriptionCallstack }) { reader in
            let before = Hooks.customCaptureSubscriptionCallstack
            Hooks.customCaptureSubscriptionCallstack = { withExtendedLifetime(reader) { [] } }
            return { Hooks.customCaptureSubscriptionCallstack = before }
        }
    }
}
