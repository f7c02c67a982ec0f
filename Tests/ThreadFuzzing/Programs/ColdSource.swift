import Dispatch
import RxEngine
import SeededRandom
import Synchronization

/// A source that starts a new run for each subscription, as a program describes it.
struct ColdPlan: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case from, range, generate, just, empty, create, createThread, createQueue, interval, timer, periodicTimer
    }

    var kind: Kind
    var producer: Int
    var count: Int
    /// Whether it ends with an error.
    var fails: Bool
    /// Whether a `create` continues to emit after it was disposed and after its end.
    var ignoresDispose: Bool
    var microseconds: Int
    var scheduler: Schedulers

    init(_ random: inout SplitMix64, producer: Int, isSmall: Bool) {
        kind = random.pick(Kind.allCases)
        if isSmall, kind == .createThread { kind = .createQueue }
        self.producer = producer
        count = random.within(isSmall ? 1...3 : 2...12)
        if kind == .just || kind == .timer { count = 1 }
        if kind == .empty { count = 0 }
        let isCreate = [.create, .createThread, .createQueue].contains(kind)
        fails = isCreate && random.chance(15)
        ignoresDispose = isCreate && random.chance(25)
        microseconds = random.within(1...100)
        scheduler = random.pick(Schedulers.allCases)
    }

    var name: String {
        switch kind {
        case .createThread, .createQueue: "create"
        case .periodicTimer: "timer"
        default: kind.rawValue
        }
    }

    var guarantees: Guarantees {
        var result = Guarantees()
        result.isCold = true
        result.streams = count == 0 ? 0 : 1
        result.size = count
        return result
    }

    var text: String {
        var details = ["p\(producer)", "\(count) elements"]
        if fails { details.append("then an error") }
        if ignoresDispose { details.append("ignores dispose") }
        if [.interval, .timer, .periodicTimer].contains(kind) {
            details.append("\(microseconds) µs on \(scheduler.rawValue)")
        }
        return "\(kind.rawValue)(\(details.joined(separator: ", ")))"
    }

    func make(_ run: RunContext) -> Observable<Tagged> {
        let numbers = numbers(run)
        return .deferred { [producer, count] in
            let id = run.nextRun()
            return numbers.map { Tagged(producer: producer, run: id, number: $0, of: count) }
        }
    }

    private func numbers(_ run: RunContext) -> Observable<Int> {
        let count = count
        let period = RxTimeInterval.microseconds(microseconds)
        switch kind {
        case .from: return .from(Array(0..<count))
        case .range: return .range(start: 0, count: count)
        case .generate: return .generate(initialState: 0, condition: { $0 < count }, iterate: { $0 + 1 })
        case .just: return .just(0)
        case .empty: return .empty()
        case .interval: return Observable<Int>.interval(period, scheduler: scheduler.scheduler).take(count)
        case .timer: return .timer(period, scheduler: scheduler.scheduler)
        case .periodicTimer:
            return Observable<Int>.timer(period, period: period, scheduler: scheduler.scheduler).take(count)
        case .create: return created(run) { $0() }
        case .createThread: return created(run) { PosixThread($0).detach() }
        case .createQueue: return created(run) { DispatchQueue.global().async(execute: $0) }
        }
    }

    /// Emits inside the closure that `start` runs.
    private func created(_ run: RunContext, _ start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void)
        -> Observable<Int>
    {
        .create { [count, fails, ignoresDispose] observer in
            let isDisposed = Flag()
            run.workers.add(1, ordering: .relaxed)
            start {
                for number in 0..<count where ignoresDispose || !isDisposed.isSet { observer.onNext(number) }
                if fails { observer.onError(FuzzError(place: "create")) } else { observer.onCompleted() }
                if ignoresDispose {
                    observer.onNext(count)
                    observer.onCompleted()
                }
                run.workers.subtract(1, ordering: .releasing)
            }
            return Disposables.create { isDisposed.set() }
        }
    }
}

/// The schedulers of programs, made once.
enum Schedulers: String, CaseIterable, Sendable {
    case serial, otherSerial, concurrent

    private static let queue = SerialDispatchQueueScheduler(internalSerialQueueName: "fuzz.serial")
    private static let otherQueue = SerialDispatchQueueScheduler(internalSerialQueueName: "fuzz.other")
    private static let everywhere = ConcurrentDispatchQueueScheduler(qos: .default)

    var scheduler: any SchedulerType {
        switch self {
        case .serial: Self.queue
        case .otherSerial: Self.otherQueue
        case .concurrent: Self.everywhere
        }
    }
}

/// A flag that one thread sets and others read, which orders nothing else.
final class Flag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { state.load(ordering: .relaxed) }

    /// - Returns: whether it was not set before.
    @discardableResult
    func set() -> Bool {
        !state.exchange(true, ordering: .relaxed)
    }
}
