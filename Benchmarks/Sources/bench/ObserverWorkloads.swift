import RxEngine

/// The cost of passing an element to an observer, in both spellings: `onNext(x)` and `on(.next(x))`.
let observerWorkloads =
    bothSpellings("publish", PublishSubject(), { $0.onNext($1) }, { $0.on($1) })
    + bothSpellings("behavior", BehaviorSubject(value: 0), { $0.onNext($1) }, { $0.on($1) })
    + bothSpellings("replay", ReplaySubject.create(bufferSize: 1), { $0.onNext($1) }, { $0.on($1) })
    + bothSpellings("async", AsyncSubject(), { $0.onNext($1) }, { $0.on($1) })
    + [
        Workload("any-observer-onNext") { count in
            let observer = AnyObserver<Int> { if case .next(let value) = $0 { drain.take(value) } }
            for value in 0..<count { observer.onNext(value) }
        },
        Workload("any-observer-on") { count in
            let observer = AnyObserver<Int> { if case .next(let value) = $0 { drain.take(value) } }
            for value in 0..<count { observer.on(.next(value)) }
        },
        Workload("erased-subject-onNext") { count in
            let subject = PublishSubject<Int>()
            let (observer, subscription) = (AnyObserver(subject), subject.subscribe(onNext: drain.take))
            for value in 0..<count { observer.onNext(value) }
            subscription.dispose()
        },
        Workload("erased-subject-on") { count in
            let subject = PublishSubject<Int>()
            let (observer, subscription) = (AnyObserver(subject), subject.subscribe(onNext: drain.take))
            for value in 0..<count { observer.on(.next(value)) }
            subscription.dispose()
        },
        Workload("publish-relay") { count in
            let relay = PublishRelay<Int>()
            let subscription = relay.subscribe(onNext: drain.take)
            for value in 0..<count { relay.accept(value) }
            subscription.dispose()
        },
        Workload("replay-relay") { count in
            let relay = ReplayRelay<Int>.create(bufferSize: 1)
            let subscription = relay.subscribe(onNext: drain.take)
            for value in 0..<count { relay.accept(value) }
            subscription.dispose()
        },
        Workload("bind-relay") { count in
            let (subject, relay) = (PublishSubject<Int>(), PublishRelay<Int>())
            let subscriptions = [subject.bind(to: relay), relay.subscribe(onNext: drain.take)]
            for value in 0..<count { subject.onNext(value) }
            subscriptions.forEach { $0.dispose() }
        },
        Workload("subscribe-subject") { count in
            let (source, target) = (PublishSubject<Int>(), PublishSubject<Int>())
            let subscriptions = [source.subscribe(target), target.subscribe(onNext: drain.take)]
            for value in 0..<count { source.onNext(value) }
            subscriptions.forEach { $0.dispose() }
        },
    ]

/// Two rows for a kind of subject with one subscriber.
@inline(__always)
private func bothSpellings<Subject: Observable<Int> & Sendable>(
    _ name: String, _ make: @autoclosure @escaping @Sendable () -> Subject,
    _ onNext: @escaping @Sendable (Subject, Int) -> Void, _ on: @escaping @Sendable (Subject, Event<Int>) -> Void
) -> [Workload] {
    [
        Workload("\(name)-onNext") { count in
            let subject = make()
            let subscription = subject.subscribe(onNext: drain.take)
            for value in 0..<count { onNext(subject, value) }
            subscription.dispose()
        },
        Workload("\(name)-on") { count in
            let subject = make()
            let subscription = subject.subscribe(onNext: drain.take)
            for value in 0..<count { on(subject, .next(value)) }
            subscription.dispose()
        },
    ]
}
