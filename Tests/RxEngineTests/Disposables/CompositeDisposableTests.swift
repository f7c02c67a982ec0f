import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct CompositeDisposableTests {
    /// Members leave in some order; those that are left are disposed in the order they came.
    @Test(arguments: [1, 2, 3, 7, 50]) func theOrderOutlastsRemovals(every step: Int) {
        let log = Box<[Int]>([])
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

    @Test func aHundredThousandMembersComeAndGo() {
        let group = CompositeDisposable()
        let keys = (0..<100_000).compactMap { _ in group.insert(Disposables.create()) }
        for key in keys { group.remove(for: key) }
        #expect(group.count == 0)
        // A queue: the oldest leaves when the newest comes.
        var line = (0..<1000).compactMap { _ in group.insert(Disposables.create()) }
        for index in 0..<100_000 {
            group.remove(for: line[index % 1000])
            if let key = group.insert(Disposables.create()) { line[index % 1000] = key }
        }
        #expect(group.count == 1000)
    }

    /// Inserts into its group when it goes.
    private final class LastWord: Disposable {
        let group: CompositeDisposable

        init(_ group: CompositeDisposable) {
            self.group = group
        }

        func dispose() {}

        deinit {
            _ = group.insert(Disposables.create())
        }
    }

    @Test func membersAreLetGoOfOutsideTheLock() {
        let group = CompositeDisposable()
        if let key = group.insert(LastWord(group)) { group.remove(for: key) }
        #expect(group.count == 1)
        _ = group.insert(LastWord(group))
        group.dispose()
        #expect(group.count == 0)
    }
}
