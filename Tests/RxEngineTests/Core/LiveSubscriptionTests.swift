import RxEngine
import Synchronization
import TestSupport
import Testing

@Suite(.balanced) struct LiveSubscriptionTests {
    enum Step: Sendable { case attach, end, dispose }

    static let orders: [([Step], freed: Int, active: Bool)] = [
        ([], 0, true),
        ([.attach], 0, true),
        ([.attach, .end], 0, false),
        ([.attach, .dispose], 1, false),
        ([.dispose, .attach], 1, false),
        ([.attach, .dispose, .dispose], 1, false),
        ([.end, .attach], 0, false),
        ([.end, .attach, .dispose], 1, false),
        ([.end, .dispose, .attach], 1, false),
    ]

    @Test(arguments: orders) func sourceIsReleasedOnce(steps: [Step], freed: Int, active: Bool) {
        let count = Cell(0)
        let live = LiveSubscription()
        for step in steps {
            switch step {
            case .attach: live.attach(Disposables.create { count.update { $0 += 1 } })
            case .end: #expect(live.end() == true)
            case .dispose: live.dispose()
            }
        }
        #expect(count.value == freed)
        #expect(live.isActive == active)
        #expect(live.isDisposed == steps.contains(.dispose))
        live.dispose()
    }

    @Test func onlyFirstCallEndsSubscription() {
        let live = LiveSubscription()
        #expect(live.end())
        #expect(!live.end())
    }

    @Test func concurrentAttachAndDisposeReleaseOnce() async {
        for _ in 0..<500 {
            let count = Cell(0)
            let live = LiveSubscription()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { live.attach(Disposables.create { count.update { $0 += 1 } }) }
                group.addTask { live.dispose() }
                group.addTask { live.dispose() }
            }
            #expect(count.value == 1)
        }
    }
}
