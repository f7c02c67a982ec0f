import Observation
import RxEngine
import RxEngineFoundation
import TestSupport
import Testing

@Observable private final class Item: LifetimeHost {
    @ObservationIgnored let lifetime = Lifetime()
    var name: String
    weak var next: Item?

    init(_ name: String) { self.name = name }
}

@Observable private final class Parent {
    var child: Item?
}

@Suite(.balanced) struct ObserveWeaklyTests {
    @Test func objectIsNotRetained() {
        weak var reference: Item?
        let log = Cell<[String]>([])
        let subscription: any Disposable
        do {
            let item = Item("a")
            reference = item
            subscription = item.rx.observeWeakly(\.name).subscribe(onNext: { log.append($0) })
            item.name = "b"
        }
        #expect(reference == nil && log.value == ["a", "b"])
        subscription.dispose()
    }

    @Test func weakHopIsFollowedUntilItsEnd() {
        let item = Item("root")
        let log = Cell<[String?]>([])
        let subscription = item.rx.observeWeakly(\.next, \.name).subscribe(onNext: { log.append($0) })
        #expect(log.value == [nil])
        do {
            let next = Item("x")
            item.next = next
            next.name = "y"
            #expect(log.value == [nil, "x", "y"])
        }
        // Nobody has set the property: the object is gone.
        #expect(item.next == nil)
        #expect(log.value == [nil, "x", "y", nil])
        let another = Item("z")
        item.next = another
        item.next = nil
        another.name = "unseen"
        #expect(log.value == [nil, "x", "y", nil, "z", nil])
        subscription.dispose()
    }

    @Test(
        arguments: [
            ([.initial, .new], ["x", "y", nil, "z"]), ([.new], ["y", nil, "z"]), ([.initial], ["x"]), ([], []),
        ] as [(KeyValueObservingOptions, [String?])])
    func valuesAreThoseOfOptions(options: KeyValueObservingOptions, expected: [String?]) {
        let (item, next) = (Item("root"), Item("x"))
        item.next = next
        let (one, two) = (Cell<[String?]>([]), Cell<[String?]>([]))
        let root = Item("before")
        root.next = item
        let subscriptions = [
            item.rx.observeWeakly(\.next, \.name, options: options).subscribe(onNext: { one.append($0) }),
            root.rx.observeWeakly(\.next, \.next, \.name, options: options).subscribe(onNext: { two.append($0) }),
        ]
        next.name = "y"
        item.next = nil
        let another = Item("z")
        item.next = another
        #expect(one.value == expected && two.value == expected)
        for subscription in subscriptions { subscription.dispose() }
    }

    /// The old object is retained until the observer has left it, although the change is made inside the observer.
    @Test func changeInsideObserverEmitsNoNil() {
        let parent = Parent()
        nonisolated(unsafe) let changed = parent
        parent.child = Item("x")
        let log = Cell<[String?]>([])
        let subscription = parent.rx.observeWeakly(\.child, \.name).subscribe(onNext: { name in
            log.append(name)
            if name == "y" { changed.child = Item("z") }
            if name == "z" { changed.child = Item("w") }
        })
        parent.child = Item("y")
        #expect(log.value == ["x", "y", "z", "w"])
        parent.child = nil
        #expect(log.value.last == .some(nil))
        subscription.dispose()
    }

    /// A path of three other objects, in parts.
    @Test func longerPathIsFollowedInParts() {
        let items = ["a", "b", "c", "d"].map(Item.init)
        for (item, next) in zip(items, items.dropFirst()) { item.next = next }
        let log = Cell<[String?]>([])
        let subscription = items[0].rx.observeWeakly(\.next, \.next).flatMapLatest { next in
            next??.rx.observeWeakly(\.next, \.name) ?? .just(nil)
        }
        .subscribe(onNext: { log.append($0) })
        items[3].name = "e"
        items[1].next = nil
        #expect(log.value == ["d", "e", nil])
        subscription.dispose()
    }

    /// The reference is strong, and the observer reads the property: the old object is released inside the assignment.
    @Test func strongReferenceInPathIsFollowed() {
        nonisolated(unsafe) let parent = Parent()
        let log = Cell<[String?]>([])
        let read = Cell<[String?]>([])
        parent.child = Item("a")
        let subscription = parent.rx.observeWeakly(\.child, \.name).subscribe(onNext: { name in
            log.append(name)
            read.append(parent.child?.name)
        })
        parent.child = Item("b")
        parent.child?.name = "c"
        parent.child = nil
        parent.child = Item("d")
        #expect(log.value == ["a", "b", "c", nil, "d"] && read.value == log.value)
        weak let last = parent.child
        parent.child = nil
        #expect(last == nil, "the old object is not retained")
        subscription.dispose()
    }

    /// Nothing is emitted after the first object is gone, although the other one changes.
    @Test func nothingIsEmittedAfterRootIsGone() {
        let child = Item("a")
        let log = Cell<[String?]>([])
        let subscription: any Disposable
        do {
            let parent = Parent()
            parent.child = child
            subscription = parent.rx.observeWeakly(\.child, \.name).subscribe(onNext: { log.append($0) })
        }
        child.name = "b"
        #expect(log.value == ["a"])
        subscription.dispose()
    }

    @Test func twoWeakHopsAreFollowed() {
        let (item, first) = (Item("root"), Item("first"))
        let log = Cell<[String?]>([])
        let subscription = item.rx.observeWeakly(\.next, \.next, \.name).subscribe(onNext: { log.append($0) })
        item.next = first
        do {
            let second = Item("a")
            first.next = second
            second.name = "b"
        }
        let third = Item("c")
        first.next = third
        item.next = nil
        third.name = "unseen"
        #expect(log.value == [nil, nil, "a", "b", nil, "c", nil])
        subscription.dispose()
    }
}
