import Dispatch
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct RefCountDisposableTests {
    private let count = Cell(0)

    private func counted() -> RefCountDisposable {
        RefCountDisposable(disposable: Disposables.create { [count] in count.update { $0 += 1 } })
    }

    @Test func disposesAtOnceWithoutHandles() {
        let shared = counted()
        #expect(!shared.isDisposed)
        shared.dispose()
        #expect(count.value == 1)
        #expect(shared.isDisposed)
        shared.dispose()
        #expect(count.value == 1)
    }

    @Test(arguments: [true, false]) func lastHandleDisposes(ownerFirst: Bool) {
        let shared = counted()
        let handles = [shared.retain(), shared.retain()]
        if ownerFirst { shared.dispose() }
        handles[0].dispose()
        #expect(count.value == 0)
        #expect(!shared.isDisposed)
        handles[1].dispose()
        if !ownerFirst { shared.dispose() }
        #expect(count.value == 1)
        #expect(shared.isDisposed)
    }

    @Test func handleCountsOnce() {
        let shared = counted()
        let handles = [shared.retain(), shared.retain()]
        shared.dispose()
        for _ in 0..<3 { handles[0].dispose() }
        #expect(count.value == 0)
        handles[1].dispose()
        #expect(count.value == 1)
    }

    @Test func handleAfterDisposeDoesNothing() {
        let shared = counted()
        shared.dispose()
        shared.retain().dispose()
        #expect(count.value == 1)
    }

    @Test func newHandleDefersDisposal() {
        let shared = counted()
        let first = shared.retain()
        shared.dispose()
        let second = shared.retain()
        first.dispose()
        #expect(count.value == 0)
        second.dispose()
        #expect(count.value == 1)
    }

    @Test func concurrentHandlesDisposeOnce() {
        for _ in 0..<200 {
            let shared = counted()
            let before = count.value
            let handles = (0..<4).map { _ in shared.retain() }
            DispatchQueue.concurrentPerform(iterations: 5) { index in
                if index < 4 { handles[index].dispose() } else { shared.dispose() }
            }
            #expect(count.value == before + 1)
        }
    }
}
