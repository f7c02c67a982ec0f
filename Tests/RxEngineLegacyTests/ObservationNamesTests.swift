import Observation
import RxEngine
import RxEngineFoundation
import RxEngineLegacy
import TestSupport
import Testing

@Observable private final class Model: LifetimeHost {
    @ObservationIgnored let lifetime = Lifetime()
    var name: String

    init(_ name: String) { self.name = name }

    deinit { lifetime.end() }
}

/// The former names of observed properties and of lifetimes.
@Suite(.balanced) struct ObservationNamesTests {
    @Test func propertyIsObserved() {
        let model = Model("a")
        let (all, changes) = (Cell<[String]>([]), Cell<[String]>([]))
        let subscriptions = [
            model.rx_observe(\.name).subscribeNext { all.append($0) },
            model.rx_observe(\.name, options: .new).subscribeNext { changes.append($0) },
        ]
        model.name = "b"
        #expect(all.value == ["a", "b"] && changes.value == ["b"])
        for subscription in subscriptions { subscription.dispose() }
        model.name = "c"
        #expect(all.value == ["a", "b"] && changes.value == ["b"])
    }

    @Test(arguments: [true, false]) func objectIsRetainedAsRequested(retainSelf: Bool) {
        weak var reference: Model?
        let subscription: any Disposable
        do {
            let model = Model("a")
            reference = model
            subscription = model.rx_observe(\.name, retainSelf: retainSelf).subscribeNext { _ in }
        }
        #expect((reference != nil) == retainSelf)
        subscription.dispose()
        #expect(reference == nil)
    }

    @Test func weaklyObservedObjectIsNotRetained() {
        weak var reference: Model?
        let (all, changes) = (Cell<[String]>([]), Cell<[String]>([]))
        let subscriptions: [any Disposable]
        do {
            let model = Model("a")
            reference = model
            subscriptions = [
                model.rx_observeWeakly(\.name).subscribeNext { all.append($0) },
                model.rx_observeWeakly(\.name, options: .new).subscribeNext { changes.append($0) },
            ]
            model.name = "b"
        }
        #expect(reference == nil)
        #expect(all.value == ["a", "b"] && changes.value == ["b"])
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func endOfObjectIsEmitted() {
        let log = Cell<[String]>([])
        var model: Model? = Model("a")
        let subscriptions = model.map { model in
            [
                model.rx_deallocating.subscribe(
                    next: { log.append("deallocating") }, completed: { log.append("deallocating |") }),
                model.rx_deallocated.subscribe(
                    next: { log.append("deallocated") }, completed: { log.append("deallocated |") }),
            ]
        }
        #expect(log.value.isEmpty)
        model = nil
        #expect(log.value == ["deallocating", "deallocating |", "deallocated", "deallocated |"])
        for subscription in subscriptions ?? [] { subscription.dispose() }
    }
}
