import RxEngine
import Synchronization
import TestSupport
import Testing

@Suite(.balanced) struct DisposablesTests {
    @Test func actionRunsOnceAndIsReleased() {
        let count = Cell(0)
        weak var held: AnyObject?
        let disposable: any Cancelable
        do {
            let object = Holder()
            held = object
            disposable = Disposables.create { [object] in
                withExtendedLifetime(object) { count.update { $0 += 1 } }
            }
        }
        #expect(!disposable.isDisposed)
        #expect(held != nil)
        disposable.dispose()
        disposable.dispose()
        #expect(count.value == 1)
        #expect(disposable.isDisposed)
        #expect(held == nil)
    }

    private final class Holder: Sendable {}

    @Test func groupDisposesMembersInOrder() {
        let log = Cell<[Int]>([])
        func note(_ number: Int) -> any Disposable { Disposables.create { log.append(number) } }
        Disposables.create(note(1), note(2)).dispose()
        Disposables.create(note(3), note(4), note(5)).dispose()
        Disposables.create(note(6), note(7), note(8), note(9), note(10)).dispose()
        Disposables.create([note(11), note(12)]).dispose()
        Disposables.create().dispose()
        #expect(log.value == Array(1...12))
    }

    @Test func booleanDisposableRemembersDisposal() {
        let disposable = BooleanDisposable()
        #expect(!disposable.isDisposed)
        disposable.dispose()
        #expect(disposable.isDisposed)
        #expect(BooleanDisposable(isDisposed: true).isDisposed)
    }

    @Test func serialDisposableDisposesPrevious() {
        let log = Cell<[Int]>([])
        func note(_ number: Int) -> any Disposable { Disposables.create { log.append(number) } }
        let serial = SerialDisposable()
        serial.disposable = note(1)
        serial.disposable = note(2)
        #expect(log.value == [1])
        serial.dispose()
        #expect(log.value == [1, 2])
        serial.disposable = note(3)
        #expect(log.value == [1, 2, 3])
        #expect(serial.isDisposed)
    }

    @Test(arguments: [true, false]) func singleAssignmentDisposesBeforeAndAfterAssignment(disposedFirst: Bool) {
        let count = Cell(0)
        let single = SingleAssignmentDisposable()
        if disposedFirst { single.dispose() }
        single.setDisposable(Disposables.create { count.update { $0 += 1 } })
        #expect(count.value == (disposedFirst ? 1 : 0))
        single.dispose()
        #expect(count.value == 1)
        #expect(single.isDisposed)
    }

    @Test func singleAssignmentDisposableIsSetOnce() async {
        await #expect(processExitsWith: .failure) {
            let single = SingleAssignmentDisposable()
            single.setDisposable(Disposables.create())
            single.setDisposable(Disposables.create())
        }
    }

    @Test func compositeInsertsAndRemovesMembers() {
        let log = Cell<[Int]>([])
        func note(_ number: Int) -> any Disposable { Disposables.create { log.append(number) } }
        let group = CompositeDisposable(note(1), note(2))
        let key = group.insert(note(3))
        #expect(group.count == 3)
        if let key { group.remove(for: key) }
        if let key { group.remove(for: key) }
        #expect(log.value == [3])
        group.dispose()
        #expect(log.value == [3, 1, 2])
        #expect(group.count == 0)
        #expect(group.isDisposed)
        #expect(group.insert(note(4)) == nil)
        #expect(log.value == [3, 1, 2, 4])
    }

    @Test func compositeMembersMayUseComposite() {
        let group = CompositeDisposable()
        _ = group.insert(Disposables.create { _ = group.insert(Disposables.create()) })
        group.dispose()
        #expect(group.count == 0)
    }

    @Test func disposeBagDisposesOnRelease() {
        let log = Cell<[Int]>([])
        func note(_ number: Int) -> any Disposable { Disposables.create { log.append(number) } }
        var bag: DisposeBag? = DisposeBag(disposing: note(1), note(2))
        if let bag {
            note(3).disposed(by: bag)
            bag.insert(note(4), note(5))
            bag.insert {
                note(6)
                note(7)
            }
        }
        #expect(log.value == [])
        bag = nil
        #expect(log.value == Array(1...7))
        bag = DisposeBag {
            note(8)
        }
        bag = nil
        #expect(log.value == Array(1...8))
    }
}
