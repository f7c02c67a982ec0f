import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct HooksTests {
    /// Runs `body` with the hooks as it sets them, and puts them back. Tests of this kind run one at a time.
    private func keepingHooks(_ body: () -> Void) {
        let handler = Hooks.defaultErrorHandler
        let capture = Hooks.customCaptureSubscriptionCallstack
        let records = Hooks.recordCallStackOnError
        body()
        Hooks.defaultErrorHandler = handler
        Hooks.customCaptureSubscriptionCallstack = capture
        Hooks.recordCallStackOnError = records
    }

    @Test func anErrorNobodyHandlesReachesTheHook() {
        let log = Box<[String]>([])
        keepingHooks {
            Hooks.defaultErrorHandler = { stack, error in log.append("\(stack) \(error)") }
            _ = Observable<Int>.error(TestError("e")).subscribe()
        }
        #expect(log.value == ["[] e"])
    }

    @Test func handledErrorsDoNot() {
        let log = Box<[String]>([])
        keepingHooks {
            Hooks.defaultErrorHandler = { _, error in log.append("\(error)") }
            _ = Observable<Int>.error(TestError("e")).subscribe(onError: { _ in })
            _ = Observable<Int>.error(TestError("e")).subscribe { _ in }
        }
        #expect(log.value == [])
    }

    @Test func theCallStackIsCapturedWhenAskedFor() {
        let log = Box<[[String]]>([])
        keepingHooks {
            Hooks.defaultErrorHandler = { stack, _ in log.append(stack) }
            Hooks.customCaptureSubscriptionCallstack = { ["here"] }
            _ = Observable<Int>.error(TestError("e")).subscribe()
            Hooks.recordCallStackOnError = true
            _ = Observable<Int>.error(TestError("e")).subscribe()
        }
        #expect(log.value == [[], ["here"]])
    }

    @Test func theDefaultCaptureNamesTheSubscriber() {
        let log = Box<[[String]]>([])
        keepingHooks {
            Hooks.defaultErrorHandler = { stack, _ in log.append(stack) }
            Hooks.recordCallStackOnError = true
            _ = Observable<Int>.error(TestError("e")).subscribe()
        }
        #expect(log.value.first?.contains { $0.contains("theDefaultCaptureNamesTheSubscriber") } == true)
    }
}
