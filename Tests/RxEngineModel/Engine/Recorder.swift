import RxEngine
import RxEngineTest

// Unchecked: used on its virtual scheduler's thread.
/// Records what happens in the engine's run of a program.
final class Recorder: @unchecked Sendable {
    let scheduler: TestScheduler
    private(set) var recording = Recording()
    /// The maximum number of entries of a run. A run that needs more most probably has an endless loop: its sources
    /// stop emitting, and the recording says so.
    private let limit: Int

    init(_ scheduler: TestScheduler, limit: Int) {
        self.scheduler = scheduler
        self.limit = limit
    }

    var isExhausted: Bool { recording.entries.count > limit }

    private var turns = 0

    /// Passes an element of an endless sequence on, and fails if the run has had too many of them.
    func spend(_ value: Int) throws -> Int {
        turns += 1
        if turns > limit {
            recording.wasStopped = true
            throw Failure(Failure.outOfBudget)
        }
        return value
    }

    func note(_ kind: Entry.Kind) {
        if !isExhausted { recording.entries.append(Entry(tick: scheduler.clock, kind: kind)) }
    }
}

// Unchecked: used on its virtual scheduler's thread.
/// A source that records when it is subscribed to and disposed.
final class Probe: ObservableType, @unchecked Sendable {
    typealias Element = Int

    private let source: TestableObservable<Int>
    private let recorder: Recorder
    private let began: Entry.Kind
    private let ended: Entry.Kind

    init(_ source: TestableObservable<Int>, _ recorder: Recorder, began: Entry.Kind, ended: Entry.Kind) {
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
