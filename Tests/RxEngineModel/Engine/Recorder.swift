import RxEngine
import RxEngineTest

// Unchecked: used on its virtual scheduler's thread.
/// Writes down what happens in the engine's run of a program.
final class Recorder: @unchecked Sendable {
    let scheduler: TestScheduler
    private(set) var recording = Recording()
    /// How many entries a run may have. One that needs more has a loop without end, in all likelihood: its sources
    /// fall silent, and the recording says so.
    private let limit: Int

    init(_ scheduler: TestScheduler, limit: Int) {
        self.scheduler = scheduler
        self.limit = limit
    }

    var isExhausted: Bool { recording.entries.count > limit }

    private var turns = 0

    /// Passes an element of a sequence without end on, and fails where the run has had too many of them.
    func spend(_ value: Int) throws -> Int {
        turns += 1
        if turns > limit {
            recording.wasStopped = true
            throw Failure(Failure.outOfBudget)
        }
        return value
    }

    func note(_ what: Entry.What) {
        if !isExhausted { recording.entries.append(Entry(tick: scheduler.clock, what: what)) }
    }
}

// Unchecked: used on its virtual scheduler's thread.
/// A source that writes down when it is subscribed to and disposed.
final class Probe: ObservableType, @unchecked Sendable {
    typealias Element = Int

    private let source: TestableObservable<Int>
    private let recorder: Recorder
    private let began: Entry.What
    private let ended: Entry.What

    init(_ source: TestableObservable<Int>, _ recorder: Recorder, began: Entry.What, ended: Entry.What) {
        self.source = source
        self.recorder = recorder
        self.began = began
        self.ended = ended
    }

    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Int {
        recorder.note(began)
        if recorder.isExhausted { return Disposables.create() }
        let run = source.subscribe(observer)
        return Disposables.create { [recorder, ended] in
            recorder.note(ended)
            run.dispose()
        }
    }
}

extension ProgramEvent {
    init(_ event: Event<Int>) {
        self =
            switch event {
            case .next(let value): .next(value)
            case .error(let error): .error(Failure.number(of: error))
            case .completed: .completed
            }
    }

    var engineEvent: Event<Int> {
        switch self {
        case .next(let value): .next(value)
        case .error(let number): .error(Failure(number))
        case .completed, .outOfBudget: .completed
        }
    }
}
