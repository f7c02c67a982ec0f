import Observation
import RxEngine
import RxEngineFoundation
import TestSupport
import Testing

/// Used by one thread at a time.
@Observable private final class Person: @unchecked Sendable {
    var first: String
    var last: String
    var age = 0
    var friend: Person?

    init(_ first: String, _ last: String) { (self.first, self.last) = (first, last) }
}

@Suite(.balanced) struct ObservingTests {
    private func observe<Value>(_ apply: @escaping @Sendable () -> Value) -> (Cell<[Value]>, any Disposable) {
        let log = Cell<[Value]>([])
        return (log, RxObservable.observing(apply).subscribe(onNext: { log.append($0) }))
    }

    @Test func resultIsEmittedAgainAfterChangeOfAnyPropertyRead() {
        let person = Person("A", "B")
        let (log, subscription) = observe { "\(person.first) \(person.last)" }
        #expect(log.value == ["A B"])
        person.last = "C"
        #expect(log.value == ["A B", "A C"])
        person.age = 1
        person.first = "D"
        #expect(log.value == ["A B", "A C", "D C"])
        subscription.dispose()
        person.first = "E"
        #expect(log.value == ["A B", "A C", "D C"])
    }

    @Test func propertiesReadInTheLatestRunCount() {
        let person = Person("A", "B")
        let friend = Person("X", "Y")
        let (log, subscription) = observe { person.friend?.first ?? person.first }
        person.friend = friend
        person.first = "B"
        friend.first = "Z"
        person.friend = nil
        friend.first = "W"
        #expect(log.value == ["A", "X", "Z", "B"])
        subscription.dispose()
    }

    @Test func closureThatReadsNoPropertyEmitsOnce() {
        let (log, subscription) = observe { 1 }
        #expect(log.value == [1])
        subscription.dispose()
    }

    @Test func eachSubscriptionRunsClosure() {
        let person = Person("A", "B")
        let names = RxObservable.observing { person.first }
        person.first = "C"
        let log = Cell<[String]>([])
        let subscriptions = [
            names.subscribe(onNext: { log.append("1\($0)") }), names.subscribe(onNext: { log.append("2\($0)") }),
        ]
        person.first = "D"
        #expect(log.value.sorted() == ["1C", "1D", "2C", "2D"])
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func disposedSubscriptionReleasesClosure() {
        weak var held: Person?
        do {
            let person = Person("A", "B")
            held = person
            let (_, subscription) = observe { person.first }
            subscription.dispose()
        }
        #expect(held == nil)
    }
}
