import Dispatch
import Glibc
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct ExecutorSchedulerTests {
    private typealias Make = @Sendable () -> ExecutorScheduler

    private static let schedulers: [(name: String, make: Make)] = [
        ("serial executor", { ExecutorScheduler(QueueExecutor()) }),
        ("actor", { ExecutorScheduler(actor: Account()) }),
        ("actor with an executor", { ExecutorScheduler(actor: Host(on: QueueExecutor())) }),
        ("main actor", { ExecutorScheduler(actor: MainActor.shared) }),
        ("task executor", { ExecutorScheduler(taskExecutor: QueueExecutor()) }),
        ("pool", { ExecutorScheduler(taskExecutor: globalConcurrentExecutor) }),
    ]

    @Test(arguments: schedulers.indices) func actionsRunInOrderAndDoNotOverlap(_ index: Int) async throws {
        let scheduler = Self.schedulers[index].make()
        let log = Cell<[Int]>([])
        let running = Cell((now: 0, most: 0))
        for number in 0..<1000 {
            _ = scheduler.schedule(number) { number in
                running.update {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                log.append(number)
                running.update { $0.now -= 1 }
                return Disposables.create()
            }
        }
        try await eventually("all actions ran") { log.value.count == 1000 }
        #expect(log.value == Array(0..<1000))
        #expect(running.value.most == 1)
    }

    @Test func actionsRunOnSerialExecutor() async throws {
        let executor = QueueExecutor()
        try await expectOnQueue(of: executor, ExecutorScheduler(executor))
    }

    @Test func actionsRunOnTaskExecutor() async throws {
        let executor = QueueExecutor()
        try await expectOnQueue(of: executor, ExecutorScheduler(taskExecutor: executor))
    }

    @Test func actionsRunOnExecutorOfActor() async throws {
        let executor = QueueExecutor()
        try await expectOnQueue(of: executor, ExecutorScheduler(actor: Host(on: executor)))
    }

    private func expectOnQueue(of executor: QueueExecutor, _ scheduler: ExecutorScheduler) async throws {
        let found = Cell<[Bool]>([])
        let note: @Sendable (Int) -> any Disposable = { _ in
            found.append(executor.isCurrent)
            return Disposables.create()
        }
        _ = scheduler.schedule(0, action: note)
        _ = scheduler.scheduleRelative(0, dueTime: .milliseconds(1), action: note)
        // More than one batch.
        for _ in 0..<600 { _ = scheduler.schedule(0, action: note) }
        try await eventually("all actions ran") { found.value.count == 602 }
        #expect(found.value.allSatisfy { $0 })
    }

    @Test func actionsAreIsolatedToActor() async throws {
        let account = Account()
        _ = Observable.of(1, 2, 3).observe(on: ExecutorScheduler(actor: account))
            .subscribe(onNext: { amount in account.assumeIsolated { $0.balance += amount } })
        for _ in 0..<10 { await account.add(1) }
        while await account.balance < 16 { await Task.yield() }
        #expect(await account.balance == 16)
    }

    @Test(arguments: schedulers.indices) func delayedActionIsNotEarly(_ index: Int) async throws {
        let scheduler = Self.schedulers[index].make()
        let ran = Cell<Duration?>(nil)
        let start = scheduler.elapsed
        _ = scheduler.scheduleRelative((), dueTime: .milliseconds(10)) {
            ran.update { $0 = scheduler.elapsed }
            return Disposables.create()
        }
        try await eventually("the action ran") { ran.value != nil }
        #expect(try #require(ran.value) - start >= .milliseconds(10))
    }

    @Test(arguments: schedulers.indices) func disposedActionDoesNotRun(_ index: Int) async throws {
        let scheduler = Self.schedulers[index].make()
        let log = Cell<[String]>([])
        let note: @Sendable (String) -> any Disposable = {
            log.append($0)
            return Disposables.create()
        }
        // The scheduler is serial: nothing that is scheduled inside this action runs before it returns.
        _ = scheduler.schedule(()) {
            scheduler.schedule("disposed", action: note).dispose()
            scheduler.scheduleRelative("disposed, delayed", dueTime: .nanoseconds(1), action: note).dispose()
            scheduler.schedulePeriodic("periodic", startAfter: .nanoseconds(1), period: .seconds(1)) {
                log.append($0)
                return $0
            }.dispose()
            return scheduler.scheduleRelative("last", dueTime: .milliseconds(2), action: note)
        }
        try await eventually("the last action ran") { !log.value.isEmpty }
        #expect(log.value == ["last"])
        _ = scheduler.scheduleRelative("never", dueTime: .never, action: note)
        #expect(log.value == ["last"])
    }

    /// The timer has fired, on a thread of its own, and passes the action on; then it is disposed, before the action runs.
    @Test(arguments: [false, true]) func actionThatIsDisposedAsItsTimerFiresDoesNotRun(isPeriodic: Bool) async throws {
        let executor = HookedExecutor()
        let scheduler = ExecutorScheduler(taskExecutor: executor)
        try await expectNothingAfterDisposal(scheduler, isPeriodic) { hook in executor.hook.update { $0 = hook } }
    }

    @Test(arguments: [false, true]) func actionThatIsDisposedAsItsClockFiresDoesNotRun(isPeriodic: Bool) async throws {
        let target = HookedScheduler()
        let scheduler = ClockScheduler(ContinuousClock(), target: target)
        try await expectNothingAfterDisposal(scheduler, isPeriodic) { hook in target.hook.update { $0 = hook } }
    }

    private func expectNothingAfterDisposal(
        _ scheduler: any SchedulerType, _ isPeriodic: Bool, _ setHook: (@escaping @Sendable () -> Void) -> Void
    ) async throws {
        let ran = Cell(false)
        let handle = SerialDisposable()
        let hasHandle = Cell(false)
        let isDisposed = Cell(false)
        setHook {
            while !hasHandle.value { sched_yield() }
            handle.dispose()
            isDisposed.update { $0 = true }
        }
        handle.disposable =
            if isPeriodic {
                scheduler.schedulePeriodic((), startAfter: .milliseconds(1), period: .seconds(1)) {
                    ran.update { $0 = true }
                }
            } else {
                scheduler.scheduleRelative((), dueTime: .milliseconds(1)) {
                    ran.update { $0 = true }
                    return Disposables.create()
                }
            }
        hasHandle.update { $0 = true }
        try await eventually("it is disposed") { isDisposed.value }
        setHook {}
        let isOver = Cell(false)
        _ = scheduler.schedule(()) {
            isOver.update { $0 = true }
            return Disposables.create()
        }
        try await eventually("an action that was scheduled later ran") { isOver.value }
        #expect(!ran.value)
    }

    @Test func resultOfActionIsDisposed() async throws {
        let scheduler = ExecutorScheduler(taskExecutor: globalConcurrentExecutor)
        let isDisposed = Cell(false)
        for delay in [0, 1] {
            let isRun = Cell(false)
            isDisposed.update { $0 = false }
            let result = scheduler.scheduleRelative((), dueTime: .milliseconds(delay)) {
                isRun.update { $0 = true }
                return Disposables.create { isDisposed.update { $0 = true } }
            }
            try await eventually("the action ran") { isRun.value }
            result.dispose()
            try await eventually("what it returned is disposed") { isDisposed.value }
        }
    }

    @Test(arguments: schedulers.indices) func periodicActionReceivesItsState(_ index: Int) async throws {
        let scheduler = Self.schedulers[index].make()
        let log = Cell<[Int]>([])
        let timer = scheduler.schedulePeriodic(0, startAfter: .milliseconds(1), period: .milliseconds(1)) {
            log.append($0)
            return $0 + 1
        }
        try await eventually("five ticks") { log.value.count >= 5 }
        timer.dispose()
        #expect(log.value.prefix(5) == [0, 1, 2, 3, 4])
    }

    @Test func scheduledActionsRunAfterSchedulerIsReleased() async throws {
        let log = Cell<[String]>([])
        do {
            let scheduler = ExecutorScheduler(taskExecutor: globalConcurrentExecutor)
            let note: @Sendable (String) -> any Disposable = {
                log.append($0)
                return Disposables.create()
            }
            _ = scheduler.schedule("at once", action: note)
            _ = scheduler.scheduleRelative("later", dueTime: .milliseconds(5), action: note)
        }
        try await eventually("both ran: \(log.value)") { log.value.count == 2 }
        #expect(log.value == ["at once", "later"])
    }

    @Test func executorIsReleasedWithScheduler() async throws {
        weak var executor: QueueExecutor?
        do {
            let made = QueueExecutor()
            executor = made
            let (serial, task) = (ExecutorScheduler(made), ExecutorScheduler(taskExecutor: made))
            _ = serial.schedule(()) { Disposables.create() }
            _ = task.schedule(()) { Disposables.create() }
        }
        try await eventually("the executor is released") { executor == nil }
    }

    @Test(arguments: schedulers.indices) func operatorsUseScheduler(_ index: Int) async throws {
        let scheduler = Self.schedulers[index].make()
        let operators: [(name: String, sequence: Observable<Int>, expected: [Int])] = [
            ("observe(on:)", .from(Array(0..<1000)).observe(on: scheduler), Array(0..<1000)),
            ("subscribe(on:)", .of(1, 2).subscribe(on: scheduler), [1, 2]),
            ("timer", .timer(.milliseconds(1), scheduler: scheduler), [0]),
            ("interval", .interval(.microseconds(100), scheduler: scheduler).take(3), [0, 1, 2]),
            ("delay", .of(1, 2, 3).delay(.milliseconds(1), scheduler: scheduler), [1, 2, 3]),
            ("debounce", .of(1, 2).debounce(.seconds(10), scheduler: scheduler), [2]),
            ("timeout", .of(1, 2).timeout(.seconds(10), scheduler: scheduler), [1, 2]),
        ]
        for (name, sequence, expected) in operators {
            #expect(try await sequence.toArray().value == expected, "\(name)")
        }
    }

    @Test(arguments: schedulers.indices) func nothingIsDeliveredAfterDisposeOnScheduler(_ index: Int) async throws {
        let scheduler = Self.schedulers[index].make()
        let elsewhere = SerialDispatchQueueScheduler(internalSerialQueueName: "elsewhere")
        for _ in 0..<50 {
            let log = Cell((seen: 0, late: 0, isDisposed: false))
            let source = Observable<Int>.interval(.microseconds(10), scheduler: elsewhere).observe(on: scheduler)
            let subscription = source.subscribe(onNext: { _ in
                log.update {
                    $0.seen += 1
                    if $0.isDisposed { $0.late += 1 }
                }
            })
            try await eventually("elements are delivered") { log.value.seen > 2 }
            _ = scheduler.schedule(()) {
                subscription.dispose()
                log.update { $0.isDisposed = true }
                return Disposables.create()
            }
            try await eventually("it is disposed") { log.value.isDisposed }
            let isOver = Cell(false)
            _ = scheduler.schedule(()) {
                isOver.update { $0 = true }
                return Disposables.create()
            }
            try await eventually("what was scheduled before has run") { isOver.value }
            #expect(log.value.late == 0)
        }
    }

    @Test func threadsScheduleAndDisposeAtTheSameTime() async throws {
        let scheduler = ExecutorScheduler(taskExecutor: globalConcurrentExecutor)
        let ran = Cell(0)
        inParallel(4) { number in
            for round in 0..<500 {
                let item = scheduler.schedule(()) {
                    ran.update { $0 += 1 }
                    return Disposables.create()
                }
                if (round + number) % 2 == 0 { item.dispose() }
                scheduler.scheduleRelative((), dueTime: .microseconds(round)) { Disposables.create() }.dispose()
            }
        }
        let isOver = Cell(false)
        _ = scheduler.schedule(()) {
            isOver.update { $0 = true }
            return Disposables.create()
        }
        try await eventually("all actions ran") { isOver.value }
        #expect((1000...2000).contains(ran.value))
    }

    @Test func clocksAreSystemClocks() {
        let scheduler = ExecutorScheduler(taskExecutor: globalConcurrentExecutor)
        #expect(abs(scheduler.now.timeIntervalSinceNow) < 10)
        let first = scheduler.elapsed
        #expect(scheduler.elapsed >= first)
    }
}

/// An executor of both kinds, on a dispatch queue.
final class QueueExecutor: SerialExecutor, TaskExecutor {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    private let queue = DispatchQueue(label: "executor")

    init() {
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    /// Whether the caller is on the queue.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
        }
    }
}

/// An executor that calls a hook with each job that it receives, and then runs the job before it returns.
private final class HookedExecutor: TaskExecutor {
    let hook = Cell<@Sendable () -> Void>({})

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        hook.value()
        Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.join()
    }
}

/// A scheduler that calls a hook with each action that it receives, and then runs the action before it returns.
private final class HookedScheduler: ImmediateSchedulerType {
    let hook = Cell<@Sendable () -> Void>({})

    func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        hook.value()
        return action(state)
    }
}

/// An actor with some state.
private actor Account {
    var balance = 0

    func add(_ amount: Int) {
        balance += amount
    }
}

/// An actor on a given executor.
private actor Host {
    private nonisolated let executor: any SerialExecutor

    init(on executor: any SerialExecutor) {
        self.executor = executor
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
