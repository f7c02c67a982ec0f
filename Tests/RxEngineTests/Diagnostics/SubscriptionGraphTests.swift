#if TRACE_RESOURCES
@testable import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balancedUnrecorded) struct SubscriptionGraphTests {
    /// Returns the tree of what `subscribe` has subscribed to, after `emit`.
    private func tree(
        _ recording: Resources.Recording = .elements, of subscribe: () -> any Disposable, emit: () -> Void = {}
    ) -> String {
        Resources.recording = recording
        let subscription = subscribe()
        emit()
        let text = Resources.graph().text(withTimes: false)
        subscription.dispose()
        Resources.recording = .off
        return text
    }

    @Test func nameOfOperatorIsThatOfItsCase() {
        for operation in Operator.allCases { #expect(operation.name == "\(operation)") }
    }

    @Test func chainIsPathFromSubscriptionToSource() {
        let subject = PublishSubject<Int>()
        let text = tree {
            subject.map { $0 * 10 }.filter { $0 > 10 }.subscribe(onNext: { _ in })
        } emit: {
            for number in 1...3 { subject.onNext(number) }
        }
        #expect(
            text == """
                subscription, 2 elements
                  filter, 2 elements
                    map, 3 elements
                      publishSubject
                """)
    }

    @Test func elementsAreNotCountedUnlessAskedFor() {
        let subject = PublishSubject<Int>()
        let text = tree(.subscriptions) {
            subject.map { $0 }.subscribe()
        } emit: {
            subject.onNext(1)
        }
        #expect(text == "subscription\n  map\n    publishSubject")
    }

    /// An operator that another one could implement has its own name.
    @Test func variantsHaveTheirOwnName() {
        let (source, gate) = (PublishSubject<Int>(), BehaviorSubject(value: true))
        let scheduler = TestScheduler(initialClock: 0)
        let variants: [(name: String, subscribe: () -> any Disposable)] = [
            ("auditTime", { source.auditTime(.seconds(1), scheduler: scheduler).subscribe() }),
            ("cast", { source.cast(to: Any.self).subscribe() }),
            ("concatEager", { source.map { Observable.just($0) }.concatEager().subscribe() }),
            ("concatMapEager", { source.concatMapEager { Observable.just($0) }.subscribe() }),
            ("distinct", { source.distinct().subscribe() }),
            ("distinct", { source.distinct { $0 / 2 }.subscribe() }),
            ("mapTo", { source.mapTo("x").subscribe() }),
            ("onTerminateDetach", { source.onTerminateDetach().subscribe() }),
            ("pausableBuffered", { source.pausableBuffered(gate, limit: 2).subscribe() }),
            ("repeat", { source.repeat().subscribe() }),
            ("repeatWhen", { source.repeat(when: { $0 }).subscribe() }),
            ("serialized", { source.serialized().subscribe() }),
            ("skipLast", { source.skipLast(1).subscribe() }),
            ("switchOnFirst", { source.switchOnFirst { _, all in all }.subscribe() }),
            ("timeInterval", { source.timeInterval(scheduler: scheduler).subscribe() }),
            ("unwrap", { source.map(Optional.some).unwrap().subscribe() }),
        ]
        for (name, subscribe) in variants {
            let text = tree(.subscriptions, of: subscribe)
            #expect(text.contains("\n  \(name)\n"), "\(name): \(text)")
        }
    }

    /// An operator with several sources has a branch for each; the subscriptions that it makes for itself are not nodes.
    @Test(arguments: [
        ("merge", "merge"), ("flatMap", "flatMap"), ("combineLatest", "combineLatest"), ("concat", "concat"),
        ("withLatestFrom", "withLatestFrom"), ("takeUntil", "takeUntil"), ("sample", "sample"), ("amb", "amb"),
    ])
    func operatorsWithSeveralSourcesHaveBranches(name: String, node: String) {
        let (one, two) = (PublishSubject<Int>(), PublishSubject<Int>())
        let both: Observable<Int> =
            switch name {
            case "merge": .merge(one.map { $0 }, two.filter { $0 > 0 })
            case "flatMap": one.map { $0 }.flatMap { _ in two.filter { $0 > 0 } }
            case "combineLatest": .combineLatest(one.map { $0 }, two.filter { $0 > 0 }) { $0 + $1 }
            case "concat": .concat(one.map { $0 }, two.filter { $0 > 0 })
            case "withLatestFrom": one.map { $0 }.withLatestFrom(two.filter { $0 > 0 })
            case "takeUntil": one.map { $0 }.take(until: two.filter { $0 > 0 })
            case "sample": one.map { $0 }.sample(two.filter { $0 > 0 })
            default: one.map { $0 }.amb(two.filter { $0 > 0 })
            }
        let text = tree(.subscriptions) {
            both.subscribe()
        } emit: {
            if name == "flatMap" { one.onNext(1) }
            if name == "concat" { one.onCompleted() }
        }
        let first = "    map\n      publishSubject"
        let second = "    filter\n      publishSubject"
        let head = "subscription\n  \(node)\n"
        let expected: [String] =
            switch name {
            case "concat": [head + second]
            default: [head + first + "\n" + second, head + second + "\n" + first]
            }
        #expect(expected.contains(text), "\(text)")
    }

    /// A subscription to a subject that is gone is not one to another subject that has its address now.
    @Test func subjectAtAddressOfReleasedOneIsAnotherNode() throws {
        Resources.recording = .subscriptions
        var handles: [any Disposable] = []
        var released: Set<ObjectIdentifier> = []
        for _ in 0..<10_000 {
            let subject = PublishSubject<Int>()
            handles.append(subject.subscribe())
            if !released.insert(ObjectIdentifier(subject)).inserted {
                let graph = Resources.graph()
                let subscriber = graph.nodes.filter { $0.name == "subscription" }.max { $0.id < $1.id }
                let source = graph.edges.first { $0.subscriber == subscriber?.id }?.source
                #expect(graph.edges.count { $0.source == source } == 1)
                break
            }
        }
        #expect(released.count < handles.count, "no address was used again")
        for handle in handles { handle.dispose() }
        Resources.recording = .off
    }

    @Test func sharedRunIsOneNodeWithItsSubscribers() {
        let subject = PublishSubject<Int>()
        let shared = subject.map { $0 }.share()
        let text = tree(.subscriptions) {
            let subscriptions = [shared.subscribe(), shared.filter { $0 > 0 }.subscribe()]
            return Disposables.create { for subscription in subscriptions { subscription.dispose() } }
        }
        let number = text.split(separator: "#").dropFirst().first.map { $0.prefix { $0.isNumber } } ?? "?"
        #expect(
            text == """
                subscription
                  share #\(number)
                    map
                      publishSubject
                subscription
                  filter
                    share #\(number), see above
                """)
    }

    @Test func sourcesAreNamed() {
        let scheduler = TestScheduler(initialClock: 0)
        let subject = PublishSubject<Int>()
        #expect(tree(.subscriptions) { Observable<Int>.never().subscribe() } == "subscription\n  never")
        #expect(
            tree(.subscriptions) { Observable<Int>.create { _ in Disposables.create() }.subscribe() }
                == "subscription\n  create")
        #expect(
            tree(.subscriptions) {
                subject.debounce(.seconds(1), scheduler: scheduler).subscribe()
            } == "subscription\n  debounce\n    publishSubject")
    }

    @Test func nodesHaveCheckpointsAccountsAndOwners() throws {
        Resources.recording = .subscriptions
        defer { Resources.recording = .off }
        let subject = PublishSubject<Int>()
        let bag = DisposeBag()
        subject.map { $0 }.checkpoint("orders").filter { $0 > 0 }.tag("api").subscribe().disposed(by: bag)
        let nodes = Resources.graph().nodes
        #expect(nodes.map(\.name) == ["subscription", "filter", "checkpoint", "map", "publishSubject"])
        #expect(nodes.map(\.checkpoint) == ["orders", "orders", "orders", "orders", nil])
        #expect(nodes.map(\.account) == [nil, "api", "api", "api", nil])
        #expect(nodes.map(\.owner) == ["DisposeBag", nil, nil, nil, nil])
        #expect(nodes.map { $0.age == nil } == [false, false, false, false, true])
        withExtendedLifetime(bag) {}
    }

    @Test func retainedSubscriptionThatIsDisposedSaysSo() throws {
        Resources.recording = .subscriptions
        defer { Resources.recording = .off }
        let subscription = PublishSubject<Int>().subscribe()
        #expect(Resources.graph().nodes.first?.isDisposed == false)
        subscription.dispose()
        #expect(Resources.graph().nodes.first?.isDisposed == true)
        withExtendedLifetime(subscription) {}
    }

    @Test func graphIsWrittenAsDOTAndJSON() {
        Resources.recording = .elements
        let subject = PublishSubject<Int>()
        let subscription = subject.checkpoint("a \"b\"\n").subscribe()
        subject.onNext(1)
        let graph = Resources.graph()
        subscription.dispose()
        Resources.recording = .off
        let ids = graph.nodes.map(\.id)
        #expect(ids.count == 3)
        for (source, subscriber) in zip(ids.dropFirst(), ids) {
            #expect(graph.dot.contains("  n\(source) -> n\(subscriber);\n"))
            #expect(graph.json.contains("{\"source\":\(source),\"subscriber\":\(subscriber)}"))
        }
        #expect(graph.dot.contains(#"n\#(ids[1]) [label="checkpoint\n\"a \"b\"\n\"\n1 element"];"#))
        #expect(graph.json.contains("\"name\":\"checkpoint\",\"checkpoint\":\"a \\\"b\\\"\\n\","))
        #expect(graph.json.contains("\"elements\":1"))
    }

    @Test func nothingIsRecordedWhileOff() {
        let subscription = PublishSubject<Int>().map { $0 }.subscribe()
        #expect(Resources.graph().nodes.isEmpty)
        #expect(Resources.graph().text() == "")
        #expect(Resources.graph().json == "{\"nodes\":[],\"edges\":[]}")
        subscription.dispose()
    }

    /// What was recorded leaves the graph when it is released, also after recording was switched off.
    @Test func releasedSubscriptionsLeaveTheGraph() {
        Resources.recording = .elements
        let subject = PublishSubject<Int>()
        var subscription: (any Disposable)? =
            subject.map { $0 }.share(replay: 1).flatMapLatest { Observable.just($0) }.subscribe()
        #expect(Resources.graph().nodes.count == 5)
        Resources.recording = .off
        subscription?.dispose()
        subscription = nil
        #expect(Resources.graph().nodes.isEmpty)
    }

    /// Any thread may take the graph while others subscribe, emit and dispose.
    @Test func graphIsTakenWhileThreadsSubscribeAndDispose() {
        Resources.recording = .elements
        let subject = PublishSubject<Int>()
        let shared = subject.map { $0 + 1 }.share()
        inParallel(4) { thread in
            for round in 0..<200 {
                if thread == 0 {
                    let graph = Resources.graph()
                    let ids = Set(graph.nodes.map(\.id))
                    #expect(graph.edges.allSatisfy { ids.contains($0.source) && ids.contains($0.subscriber) })
                    _ = (graph.text(), graph.json, graph.dot)
                } else {
                    let bag = DisposeBag()
                    shared.flatMap { Observable.of($0, $0) }.subscribe().disposed(by: bag)
                    if thread == 1 { subject.onNext(round) }
                }
            }
        }
        Resources.recording = .off
        #expect(Resources.graph().nodes.isEmpty)
    }

    @Test func snapshotsAreCompared() {
        let subject = PublishSubject<Int>()
        let before = Resources.snapshot()
        #expect(Resources.snapshot() == before)
        let subscription = subject.map { $0 }.subscribe()
        let after = Resources.snapshot()
        #expect(after.changes(since: before).contains("map: 1 more running"))
        #expect(after.changes(since: before).contains("subscription: 1 more alive"))
        #expect(after.json.contains("\"map\":{\"observables\":"))
        #expect(before.changes(since: after).contains("map: 1 fewer running"))
        subscription.dispose()
    }
}
#endif
