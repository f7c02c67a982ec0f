import RxEngine
import TestSupport
import Testing

/// Tests of an error that a trait's observer does not handle.
@Suite(.balanced) struct UnhandledErrorTests {
    /// The errors that reach the hook while `body` runs. Tests of this kind run one at a time.
    private func reported(_ body: () -> Void) -> [String] {
        let log = Cell<[String]>([])
        let handler = Hooks.defaultErrorHandler
        let capture = Hooks.customCaptureSubscriptionCallstack
        Hooks.defaultErrorHandler = { stack, error in log.append("\(error) from \(stack)") }
        Hooks.customCaptureSubscriptionCallstack = { ["here"] }
        Hooks.recordCallStackOnError = true
        body()
        Hooks.recordCallStackOnError = false
        Hooks.defaultErrorHandler = handler
        Hooks.customCaptureSubscriptionCallstack = capture
        return log.value
    }

    @Test func unhandledErrorReachesHook() {
        final class Target: Sendable {}
        let target = Target()
        let error = TestError("e")
        let subscriptions: [@Sendable () -> any Disposable] = [
            { Single<Int>.error(error).subscribe(onSuccess: { _ in }) },
            { Single<Int>.error(error).subscribe(with: target, onSuccess: { _, _ in }) },
            { Maybe<Int>.error(error).subscribe(onSuccess: { _ in }) },
            { Maybe<Int>.error(error).subscribe(with: target, onSuccess: { _, _ in }) },
            { Completable.error(error).subscribe(onCompleted: {}) },
            { Completable.error(error).subscribe(with: target, onCompleted: { _ in }) },
        ]
        for subscribe in subscriptions {
            #expect(reported { subscribe().dispose() } == [#"e from ["here"]"#])
        }
    }

    @Test func handledErrorDoesNotReachHook() {
        let error = TestError("e")
        let subscriptions: [@Sendable () -> any Disposable] = [
            { Single<Int>.error(error).subscribe { _ in } },
            { Single<Int>.error(error).subscribe(onFailure: { _ in }) },
            { Maybe<Int>.error(error).subscribe { _ in } },
            { Maybe<Int>.error(error).subscribe(onError: { _ in }) },
            { Completable.error(error).subscribe { _ in } },
            { Completable.error(error).subscribe(onError: { _ in }) },
        ]
        for subscribe in subscriptions {
            #expect(reported { subscribe().dispose() } == [])
        }
    }
}
