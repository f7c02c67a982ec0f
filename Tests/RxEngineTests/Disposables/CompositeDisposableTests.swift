import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct CompositeDisposableTests {
    /// Members are removed in some order; the remaining members are disposed in the order of their insertion.
    @Test(arguments: [1, 2, 3, 7, 50]) func removalsKeepOrderOfMembers(every step: Int) {
        let log = Cell<[Int]>([])
        let group = CompositeDisposable()
        let keys = (0..<1000).map { number in group.insert(Disposables.create { log.append(number) }) }
        let leaving = stride(from: 0, to: 1000, by: step).reversed() + stride(from: 3, to: 1000, by: step)
        for number in leaving {
            if let key = keys[number] { group.remove(for: key) }
        }
        let left = Set(leaving)
        #expect(Set(log.value) == left)
        #expect(log.value.count == left.count)
        #expect(group.count == 1000 - left.count)
        log.update { $0 = [] }
        group.dispose()
        #expect(log.value == (0..<1000).filter { !left.contains($0) })
    }

    @Test func manyMembersAreInsertedAndRemoved() {
        let group = CompositeDisposable()
        let keys = (0..<100_000).compactMap { _ in group.insert(Disposables.create()) }
        for key in keys { group.remove(for: key) }
        #expect(group.count == 0)
        // A queue: each insertion removes the oldest member.
        var queue = (0..<1000).compactMap { _ in group.insert(Disposables.create()) }
        for index in 0..<100_000 {
            group.remove(for: queue[index % 1000])
            if let key = group.insert(Disposables.create()) { queue[index % 1000] = key }
        }
        #expect(group.count == 1000)
    }

    /// Inserts into its group when it is released.
    private final class InsertsOnRelease: Disposable {
        let group: CompositeDisposable

        init(_ group: CompositeDisposable) {
            self.group = group
        }

        func dispose() {}

        deinit {
            _ = group.insert(Disposables.create())
        }
    }

    @Test func membersAreReleasedOutsideLock() {
        let group = CompositeDisposable()
        if let key = group.insert(InsertsOnRelease(group)) { group.remove(for: key) }
        #expect(group.count == 1)
        _ = group.insert(InsertsOnRelease(group))
        group.dispose()
        #expect(group.count == 0)
    }
}
