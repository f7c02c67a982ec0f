import RxEngine
import Testing

@testable import RxPipelines

@Suite struct SpoolStateTests {
    /// The names of the actions of a transition.
    private func names(_ actions: [SpoolState.Action]) -> [String] {
        actions.map {
            switch $0 {
            case .write: "write"
            case .retryLater: "retry later"
            case .end: "end"
            }
        }
    }

    private func names(_ action: SpoolState.Action?) -> [String] { names(action.map { [$0] } ?? []) }

    private func running() -> SpoolState {
        var state = SpoolState()
        state.start()
        return state
    }

    @Test func oneWriteRunsAtATime() {
        var state = running()
        #expect(names(state.wake()) == ["write"])
        #expect(names(state.wake()).isEmpty)
        #expect(names(state.wrote(hasMore: true, isPaused: false)) == ["write"])
        #expect(names(state.wake()).isEmpty)
        #expect(names(state.wrote(hasMore: false, isPaused: false)).isEmpty)
        #expect(names(state.wake()) == ["write"])
    }

    @Test func oneRetryIsScheduledAtATime() {
        var state = running()
        _ = state.wake()
        #expect(names(state.wrote(hasMore: false, isPaused: true)) == ["retry later"])
        // An event that arrives during the pause is written, and schedules no other retry.
        #expect(names(state.wake()) == ["write"])
        #expect(names(state.wrote(hasMore: true, isPaused: true)) == ["write"])
        #expect(names(state.wrote(hasMore: false, isPaused: true)).isEmpty)
        state.endPause()
        #expect(names(state.wake()) == ["write"])
        #expect(names(state.wrote(hasMore: false, isPaused: true)) == ["retry later"])
    }

    @Test func pauseMayEndDuringWrite() {
        var state = running()
        _ = state.wake()
        #expect(names(state.wrote(hasMore: true, isPaused: true)) == ["retry later", "write"])
        state.endPause()
        #expect(names(state.wake()).isEmpty, "the write still runs")
        #expect(names(state.wrote(hasMore: false, isPaused: true)) == ["retry later"])
    }

    @Test func closingSinkEndsOnceWhenNothingIsLeftToWrite() {
        var state = running()
        let closes = [state.close {}, state.close {}]
        #expect(closes == [true, false])
        #expect(!state.isOpen && !state.isRunning && !state.isClosed && state.mayCount)
        _ = state.wake()
        #expect(names(state.wrote(hasMore: true, isPaused: true)) == ["write"], "closing schedules no retry")
        #expect(names(state.wrote(hasMore: false, isPaused: true)) == ["end"])
        #expect(names(state.wrote(hasMore: false, isPaused: false)).isEmpty)
        state.closed()
        #expect(state.isClosed && !state.mayCount)
    }

    @Test func unstartedSinkTakesEventsAndReadsNone() {
        var state = SpoolState()
        #expect(state.isOpen && !state.isRunning && !state.mayCount)
        #expect(names(state.wake()) == ["write"])
        _ = state.close {}
        #expect(!state.mayCount)
        state.start()
        #expect(state.mayCount && !state.isRunning)
        #expect(names(state.wrote(hasMore: false, isPaused: false)) == ["end"])
        state.start()
        #expect(!state.mayCount && !state.isOpen)
    }

    @Test func callOfClosingIsReturned() {
        var state = running()
        let isCalled = Locked(false)
        _ = state.close { isCalled.withLock { $0 = true } }
        for case .end(let end) in state.wrote(hasMore: false, isPaused: false) { end() }
        #expect(isCalled.withLock { $0 })
    }
}
