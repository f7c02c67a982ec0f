import RxEngine
import SeededRandom

/// A source that threads push into, as a program describes it.
struct HotPlan: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case publishSubject, behaviorSubject, replaySubject, asyncSubject, publishRelay, behaviorRelay, replayRelay
        /// A subject that is fed by the merge of two others, each with a producer of its own.
        case merged
    }

    enum End: String, Sendable {
        case completed, error, none
    }

    var kind: Kind
    /// How many elements a replay keeps.
    var memory: Int
    /// The tags of the threads' elements; one, but for ``Kind/merged``.
    var producers: [Int]
    var count: Int
    var end: End

    /// Draws a source; `nextProducer` counts the producers of the program.
    init(_ random: inout SplitMix64, _ nextProducer: inout Int, count: Int) {
        kind = random.chance(40) ? .publishSubject : random.pick(Kind.allCases)
        memory = random.within(0...3)
        self.count = count
        let ends: [End] = [.completed, .completed, .completed, .completed, .error, .none]
        end = random.pick(ends)
        producers = (0..<(kind == .merged ? 2 : 1)).map { nextProducer + $0 }
        nextProducer += producers.count
    }

    var isRelay: Bool { [.publishRelay, .behaviorRelay, .replayRelay].contains(kind) }

    var guarantees: Guarantees {
        var result = Guarantees()
        result.isHot = true
        result.streams = producers.count
        result.size = count * producers.count
        result.remembers = [.behaviorSubject, .replaySubject, .asyncSubject, .behaviorRelay, .replayRelay].contains(
            kind)
        if isRelay || end == .none { result.ends = false }
        if kind == .asyncSubject { result.isComplete = false }
        return result
    }

    var text: String {
        let memory = kind == .replaySubject || kind == .replayRelay ? "(\(memory))" : ""
        let tags = producers.map { "p\($0)" }.joined(separator: ", ")
        return "\(kind.rawValue)\(memory) fed by \(tags): \(count) elements, then \(isRelay ? "none" : end.rawValue)"
    }

    func make() -> HotSource { HotSource(self) }
}

/// A source that threads push into.
final class HotSource: Sendable {
    /// The elements that one thread pushes into it.
    struct Input: Sendable {
        let producer: Int
        /// How many elements existed before the first is pushed.
        let first: Int
        let next: @Sendable (Tagged) -> Void
        let end: @Sendable () -> Void
    }

    let observable: Observable<Tagged>
    let inputs: [Input]
    /// Disposes the subject midway.
    let dispose: @Sendable () -> Void
    private let feeding: any Disposable

    init(_ plan: HotPlan) {
        let producer = plan.producers[0]
        let start = Tagged(producer: producer, number: 0, of: plan.count)
        switch plan.kind {
        case .publishSubject: (observable, inputs, dispose) = Self.parts(PublishSubject(), plan)
        case .behaviorSubject: (observable, inputs, dispose) = Self.parts(BehaviorSubject(value: start), plan, first: 1)
        case .replaySubject:
            (observable, inputs, dispose) = Self.parts(ReplaySubject.create(bufferSize: plan.memory), plan)
        case .asyncSubject:
            let subject = AsyncSubject<Tagged>()
            let input = Self.input(subject, producer, plan.end)
            (observable, inputs, dispose) = (subject, [input], {})
        case .publishRelay:
            let relay = PublishRelay<Tagged>()
            (observable, inputs, dispose) = Self.relay(relay.asObservable(), producer) { relay.accept($0) }
        case .behaviorRelay:
            let relay = BehaviorRelay(value: start)
            (observable, inputs, dispose) = Self.relay(relay.asObservable(), producer, first: 1) { relay.accept($0) }
        case .replayRelay:
            let relay = ReplayRelay<Tagged>.create(bufferSize: plan.memory)
            (observable, inputs, dispose) = Self.relay(relay.asObservable(), producer) { relay.accept($0) }
        case .merged:
            let output = PublishSubject<Tagged>()
            let subjects = plan.producers.map { _ in PublishSubject<Tagged>() }
            inputs = zip(subjects, plan.producers).map { Self.input($0, $1, plan.end) }
            dispose = { output.dispose() }
            observable = output
            feeding = Observable.merge(subjects.map { $0.asObservable() }).subscribe(output)
            return
        }
        feeding = Disposables.create()
    }

    deinit {
        feeding.dispose()
    }

    private typealias Parts = (Observable<Tagged>, [Input], @Sendable () -> Void)

    private static func parts<Subject>(_ subject: Subject, _ plan: HotPlan, first: Int = 0) -> Parts
    where Subject: SubjectType<Tagged> & ObserverType<Tagged> & Cancelable & Sendable {
        let inputs = [input(subject, plan.producers[0], plan.end, first: first)]
        return (subject.asObservable(), inputs, { subject.dispose() })
    }

    private static func input(
        _ subject: some ObserverType<Tagged> & Sendable, _ producer: Int, _ end: HotPlan.End, first: Int = 0
    ) -> Input {
        Input(producer: producer, first: first, next: { subject.onNext($0) }) {
            switch end {
            case .completed: subject.onCompleted()
            case .error: subject.onError(FuzzError(place: "producer"))
            case .none: break
            }
        }
    }

    private static func relay(
        _ observable: Observable<Tagged>, _ producer: Int, first: Int = 0,
        accept: @escaping @Sendable (Tagged) -> Void
    ) -> Parts {
        (observable, [Input(producer: producer, first: first, next: accept, end: {})], {})
    }
}
