import TestSupport
import Testing

@testable import RxEngine

@Suite(.balanced) struct PostedRepetitionTests {
    /// On a concurrent scheduler, an action that is scheduled during a run may begin before that run has ended.
    @Test func tickDuringRunIsScheduledAfterIt() {
        let scheduler = CollectingScheduler()
        let scheduledInside = Cell<[Int]>([])
        let holder = Cell<[PostedRepetition<Int>]>([])
        let repetition = PostedRepetition(on: scheduler, 0) { count in
            for _ in 0..<2 { if count == 0 { holder.value[0].tick() } }
            scheduledInside.append(scheduler.count)
            return count + 1
        }
        holder.append(repetition)
        repetition.tick()
        repetition.tick()
        #expect(scheduler.count == 1)
        scheduler.runAll()
        #expect(scheduledInside.value == [0])
        #expect(scheduler.count == 1)
        scheduler.runAll()
        #expect(scheduledInside.value == [0, 0])
        #expect(scheduler.count == 0)
        repetition.tick()
        #expect(scheduler.count == 1)
        scheduler.runAll()
        #expect(scheduledInside.value == [0, 0, 0])
        repetition.scheduled.dispose()
        holder.update { $0 = [] }
    }

    @Test func disposalDuringRunEndsRepetition() {
        let scheduler = CollectingScheduler()
        let runs = Cell(0)
        let holder = Cell<[PostedRepetition<Void>]>([])
        let repetition = PostedRepetition(on: scheduler, ()) {
            runs.update { $0 += 1 }
            holder.value[0].tick()
            holder.value[0].scheduled.dispose()
        }
        holder.append(repetition)
        repetition.tick()
        for _ in 0..<3 { scheduler.runAll() }
        repetition.tick()
        scheduler.runAll()
        #expect(runs.value == 1)
        holder.update { $0 = [] }
    }
}

/// A scheduler that collects actions, which the test runs.
private final class CollectingScheduler: ImmediateSchedulerType, Sendable {
    private let items = Cell<[ScheduledItem]>([])

    var count: Int { items.value.count }

    func schedule<State>(_ state: State, action: @escaping @Sendable (State) -> any Disposable) -> any Disposable {
        let item = ScheduledItem(state, action)
        items.append(item)
        return item
    }

    func runAll() {
        let due = items.value
        items.update { $0 = [] }
        for item in due { item.run() }
    }
}
