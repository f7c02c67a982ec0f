import Dispatch
@_spi(SwiftUI) import Observation
import RxEngine
import TestSupport
import Testing

@testable import RxEngineFoundation

@Observable private final class Person {
    var name: String
    var age = 0
    var friend: Person?

    init(_ name: String) { self.name = name }
}

@MainActor @Observable private final class Screen {
    var title = "a"
}

@globalActor private actor Workshop {
    static let shared = Workshop()
}

@Workshop @Observable private final class Machine {
    var state = "idle"
    var part: Machine?
}

/// Several threads may change it.
@Observable private final class Counter: @unchecked Sendable {
    @ObservationIgnored private let lock = Locked(0)

    var count: Int {
        get {
            access(keyPath: \.count)
            return lock.withLock { $0 }
        }
        set { withMutation(keyPath: \.count) { lock.withLock { $0 = newValue } } }
    }
}

/// Several threads may change it. A closure can wait between a read of `next` and its registration.
private final class Link: Observation.Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let state: Locked<(name: String, next: Link?)>
    let afterRead = Locked<(@Sendable () -> Void)?>(nil)

    init(_ name: String, _ next: Link? = nil) { state = Locked((name, next)) }

    var name: String {
        get {
            registrar.access(self, keyPath: \.name)
            return state.withLock(\.name)
        }
        set { registrar.withMutation(of: self, keyPath: \.name) { state.withLock { $0.name = newValue } } }
    }

    var nameOfNext: String? { next?.name }

    var next: Link? {
        get {
            registrar.access(self, keyPath: \.next)
            let next = state.withLock(\.next)
            afterRead.withLock(\.self)?()
            return next
        }
        set { registrar.withMutation(of: self, keyPath: \.next) { state.withLock { $0.next = newValue } } }
    }
}

@Suite(.balanced) struct ObserveTests {
    /// Calls `register`. When it has read the next object of `root` so many times, a thread replaces that object by `new`; it
    /// finds the registrations that report then, and calls an observer that takes its time before it calls them.
    private func withReplacement(of root: Link, by new: Link, afterRead count: Int, _ register: () -> Void) {
        let (isChanging, isRegistered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isFirst = Locked(true)
        // The order of the observers is not defined: one of them is likely the first.
        for _ in 0..<6 {
            withObservationTracking {
                _ = root.next
            } didSet: { tracking in
                tracking.cancel()
                let waits = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                guard waits else { return }
                isChanging.signal()
                isRegistered.wait()
            }
        }
        let (reads, thread) = (Locked(0), Locked<TestSupport.Thread?>(nil))
        root.afterRead.withLock {
            $0 = {
                let isThatOne = reads.withLock { reads in
                    reads += 1
                    return reads == count
                }
                guard isThatOne else { return }
                let changing = TestSupport.Thread { root.next = new }
                thread.withLock { $0 = changing }
                isChanging.wait()
            }
        }
        register()
        root.afterRead.withLock { $0 = nil }
        isRegistered.signal()
        thread.withLock(\.self)?.join()
    }

    /// The second registration has read the object, and does not report yet.
    @Test func replacementWhileRegisteringIsNotMissed() {
        let (root, new) = (Link("root", Link("old")), Link("new"))
        let log = Cell<[String?]>([])
        var subscription: (any Disposable)?
        withReplacement(of: root, by: new, afterRead: 2) {
            subscription = root.rx.observe(\.next?.name).subscribe(onNext: { log.append($0) })
        }
        new.name = "changed"
        #expect(log.value.last == "changed")
        subscription?.dispose()
    }

    private static let paths: [any KeyPath<Link, String?> & Sendable] = [
        \.next?.name, \.next?.next?.name, \.next?.next?.next?.name, \.next?.next?.next?.next?.name,
    ]

    /// Each object of the path is replaced right after a registration has read it, one more with each registration.
    @Test(arguments: paths.indices) func replacementOfEachObjectWhileRegisteringIsNotMissed(index: Int) {
        /// A link to others, of which the first one that is read is replaced.
        func chain(replacing count: Int, by last: Link) -> Link {
            guard count > 0 else { return last }
            let link = Link("new", Link("old", Link("old", Link("old", Link("old")))))
            let new = chain(replacing: count - 1, by: last)
            link.afterRead.withLock {
                $0 = {
                    link.afterRead.withLock { $0 = nil }
                    link.next = new
                }
            }
            return link
        }
        let last = Link("last")
        let root = chain(replacing: index + 1, by: last)
        let log = Cell<[String?]>([])
        let subscription = root.rx.observe(Self.paths[index]).subscribe(onNext: { log.append($0) })
        #expect(log.value == ["last"])
        last.name = "changed"
        #expect(log.value == ["last", "changed"])
        subscription.dispose()
    }

    /// The number is that of the registrations for each change, so it is not less than that of the objects.
    @Test func propertiesOfPathAreCounted() {
        #expect(Self.paths.map(\.propertyCount) == [2, 3, 4, 5])
        #expect((\Person.name).propertyCount == 1)
        #expect((\Person.name.count).propertyCount == 2)
        #expect((\[Int].self).propertyCount == 1)
        #expect((\[String].[0].count).propertyCount >= 1)
        #expect((\Link.next!.next!.name).propertyCount == 3)
    }

    /// A thread replaces an object, and calls the observer that it has found only when later registrations are done.
    @Test func lateCallOfEarlierRegistrationIsNotMissed() {
        let last = Link("last")
        let (root, new) = (Link("root", Link("old", Link("old"))), Link("new", Link("old")))
        // It is replaced when the third registration has read it, when nobody observes it yet.
        new.afterRead.withLock {
            $0 = {
                new.afterRead.withLock { $0 = nil }
                new.next = last
            }
        }
        let log = Cell<[String?]>([])
        var subscription: (any Disposable)?
        withReplacement(of: root, by: new, afterRead: 2) {
            subscription = root.rx.observe(\.next?.next?.name).subscribe(onNext: { log.append($0) })
        }
        last.name = "changed"
        #expect(log.value.last == "changed")
        subscription?.dispose()
    }

    /// Path with one property, which reads two objects.
    @Test func replacementBehindComputedPropertyIsNotMissed() {
        let (root, new) = (Link("root", Link("old")), Link("new"))
        root.afterRead.withLock {
            $0 = {
                root.afterRead.withLock { $0 = nil }
                root.next = new
            }
        }
        let log = Cell<[String?]>([])
        let subscription = root.rx.observe(\.nameOfNext).subscribe(onNext: { log.append($0) })
        new.name = "changed"
        #expect(log.value == ["new", "changed"])
        subscription.dispose()
    }

    private func names(_ person: Person, _ options: KeyValueObservingOptions = [.initial, .new]) -> (
        Cell<[String]>, any Disposable
    ) {
        let log = Cell<[String]>([])
        return (log, person.rx.observe(\.name, options: options).subscribe(onNext: { log.append($0) }))
    }

    /// Another thread changes the property while a subscription registers.
    @Test func noChangeIsEmittedTwice() {
        let counter = Counter()
        let isOver = Cell(false)
        let thread = TestSupport.Thread {
            while !isOver.value { counter.count += 1 }
        }
        var repeated = 0
        for _ in 0..<3_000 {
            let log = Cell<[Int]>([])
            counter.rx.observe(\.count, options: [.new]).subscribe(onNext: { log.append($0) }).dispose()
            repeated += zip(log.value, log.value.dropFirst()).count { $0 >= $1 }
        }
        isOver.update { $0 = true }
        thread.join()
        #expect(repeated == 0)
    }

    @Test(
        arguments: [
            ([.initial, .new], ["a", "b", "c", "b"]), ([.new], ["b", "c", "b"]), ([.initial], ["a"]), ([], []),
        ] as [(KeyValueObservingOptions, [String])])
    func everyChangeIsEmittedBeforeAssignmentReturns(options: KeyValueObservingOptions, expected: [String]) {
        let person = Person("a")
        let (log, subscription) = names(person, options)
        person.age = 1
        for (index, name) in ["b", "c", "b"].enumerated() {
            person.name = name
            if options.contains(.new) { #expect(log.value.count == expected.count - 2 + index) }
        }
        // The macro does not report an equal value.
        person.name = "b"
        #expect(log.value == expected)
        subscription.dispose()
        person.name = "d"
        #expect(log.value == expected)
    }

    @Test func changeInsideObserverFollowsItsCause() {
        let person = Person("a")
        let log = Cell<[String]>([])
        nonisolated(unsafe) let changed = person
        let subscription = person.rx.observe(\.name).subscribe(onNext: { name in
            log.append("begin \(name)")
            if name == "b" { for next in ["c", "d"] { changed.name = next } }
            log.append("end \(name)")
        })
        person.name = "b"
        #expect(
            log.value == ["begin a", "end a", "begin b", "end b", "begin c", "end c", "begin d", "end d"])
        subscription.dispose()
    }

    /// A change of any object in the path is a change of the property.
    @Test func pathThroughSeveralObjectsIsFollowed() {
        let person = Person("a")
        let log = Cell<[String?]>([])
        let subscription = person.rx.observe(\.friend?.friend?.name).subscribe(onNext: { log.append($0) })
        let (first, second) = (Person("first"), Person("second"))
        person.friend = first
        first.friend = second
        second.name = "changed"
        person.friend = nil
        // Neither is in the path any more.
        second.name = "again"
        first.friend = nil
        person.friend = first
        #expect(log.value == [nil, nil, "second", "changed", nil, nil])
        subscription.dispose()
    }

    @Test func disposingInsideObserverEndsSubscription() {
        let person = Person("a")
        let log = Cell<[String]>([])
        let subscription = person.rx.observe(\.name).take(2).subscribe(onNext: { log.append($0) })
        for name in ["b", "c"] { person.name = name }
        #expect(log.value == ["a", "b"])
        subscription.dispose()
    }

    @Test func subscriptionsAreIndependent() {
        let person = Person("a")
        let (first, one) = names(person)
        let (second, other) = names(person)
        person.name = "b"
        one.dispose()
        person.name = "c"
        #expect(first.value == ["a", "b"] && second.value == ["a", "b", "c"])
        other.dispose()
    }

    @Test(arguments: [true, false]) func objectIsRetainedAsRequested(retainSelf: Bool) {
        weak var reference: Person?
        let log = Cell<[String]>([])
        let subscription: any Disposable
        do {
            let person = Person("a")
            reference = person
            subscription = person.rx.observe(\.name, retainSelf: retainSelf).subscribe(onNext: { log.append($0) })
            person.name = "b"
        }
        #expect((reference != nil) == retainSelf)
        subscription.dispose()
        #expect(reference == nil)
        #expect(log.value == ["a", "b"])
    }

    /// Neither a subscription that is disposed, nor one after the other, leaves anything at the object.
    @Test func disposedSubscriptionIsReleased() {
        let person = Person("a")
        weak var reference: Cell<[String]>?
        for _ in 0..<100 {
            let (log, subscription) = names(person)
            reference = log
            subscription.dispose()
        }
        #expect(reference == nil)
    }

    @Test @MainActor func propertyOfMainActorIsReadThere() {
        let screen = Screen()
        let log = Cell<[String]>([])
        let subscription = screen.rx.observe(\.title).subscribe(onNext: { title in
            MainActor.preconditionIsolated()
            log.append(title)
        })
        screen.title = "b"
        #expect(log.value == ["a", "b"])
        subscription.dispose()
    }

    /// As with the main actor: the observer is called where the property is changed.
    @Test @Workshop func propertyOfCustomActorIsReadThere() async {
        let (machine, part) = (Machine(), Machine())
        let log = Cell<[String?]>([])
        let add: @Sendable (String?) -> Void = { state in
            Workshop.preconditionIsolated()
            log.append(state)
        }
        let subscriptions = [
            machine.rx.observe(\.state).subscribe(onNext: { add($0) }),
            machine.rx.observe(\.part?.state).subscribe(onNext: { add($0) }),
        ]
        // From outside the actor, a change is a hop to it.
        await Task.detached { await Self.work(machine) }.value
        machine.part = part
        part.state = "moving"
        #expect(log.value == ["idle", nil, "running", "idle", "moving"])
        for subscription in subscriptions { subscription.dispose() }
        (machine.state, part.state) = ("broken", "broken")
        #expect(log.value.count == 5)
    }

    @Workshop private static func work(_ machine: Machine) { machine.state = "running" }

    /// Of changes on several threads, the last value is always emitted, and none is emitted after a later one.
    @Test func lastValueOfSeveralThreadsIsEmitted() {
        for round in 0..<200 {
            let counter = Counter()
            let log = Cell<[Int]>([])
            let subscription = counter.rx.observe(\.count).subscribe(onNext: { log.append($0) })
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for number in 0..<10 { counter.count = round * 1000 + thread * 100 + number }
            }
            #expect(log.value.last == counter.count)
            subscription.dispose()
        }
    }
}
