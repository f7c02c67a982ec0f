import RxEngine
import SeededRandom
import Synchronization

/// Executes a program once.
final class ProgramRun: Sendable {
    private let program: Program
    private let run: RunContext
    /// The observable for subscribers, until everything is disposed.
    private let root: Locked<Observable<Tagged>?>
    private let guarantees: Guarantees
    private let slots: [SingleAssignmentDisposable]
    private let observers = Locked<[(isEarly: Bool, slot: SingleAssignmentDisposable, observer: CheckedObserver)]>([])
    private let connections = Locked<[Int: [any Disposable]]>([:])
    private let phase = Locked("assembling")

    init(_ program: Program) {
        self.program = program
        run = RunContext(program.hot.map { $0.make() })
        guarantees = program.guarantees
        slots = program.subscribers.map { _ in SingleAssignmentDisposable() }
        for (index, part) in program.shared.enumerated() {
            var observable = part.assemble(run)
            if program.connectables.contains(index) {
                let connectable = observable.publish()
                run.connectables.withLock { $0.append(connectable) }
                observable = connectable
            }
            run.shared.withLock { [observable] in $0.append(observable) }
        }
        root = Locked(program.root.assemble(run))
    }

    /// Its current state.
    var state: String {
        "\(phase.value); \(run.progress.load(ordering: .relaxed)) elements emitted; "
            + "\(run.producers.load(ordering: .relaxed)) producers and \(run.workers.load(ordering: .relaxed)) "
            + "cold sources at work\n" + observers.value.map(\.observer.text).joined(separator: "\n")
    }

    /// Runs it.
    ///
    /// - Returns: the violations.
    func execute(_ random: SplitMix64) -> [String] {
        runThreads(random)
        if guarantees.ends, !disposesSubjects {
            phase.withLock { $0 = "waiting for the end" }
            let isOver = waitUntil {
                self.observers.value.allSatisfy { $0.slot.isDisposed || $0.observer.ending != .none }
            }
            if !isOver { run.report("not every subscriber has received the end") }
        }
        phase.withLock { $0 = "disposing" }
        // Prevents further subscriptions: a callback that is still running could subscribe after the slots were
        // disposed.
        root.withLock { $0 = nil }
        for connection in connections.withLock({ all in all.values.flatMap { $0 } }) { connection.dispose() }
        for (_, slot, _) in observers.value { slot.dispose() }
        run.shared.withLock { $0 = [] }
        run.connectables.withLock { $0 = [] }
        connections.withLock { $0 = [:] }
        let isFree = waitUntil {
            self.run.isFree && self.observers.value.allSatisfy { $0.observer.disposals > 0 }
        }
        if !isFree { run.report("not everything was freed after all subscriptions were disposed") }
        run.checkEnd()
        for (isEarly, _, observer) in observers.value {
            if observer.disposals != 1 { run.report("onDisposed ran \(observer.disposals) times: \(observer.text)") }
            if isEarly { observer.checkCompleteness() }
        }
        return run.findings.all
    }

    private var disposesSubjects: Bool {
        program.scripts.joined().contains { if case .disposeSubject = $0 { true } else { false } }
    }

    private func runThreads(_ random: SplitMix64) {
        let scripts = program.scripts.count
        let threads = scripts + program.producers
        let subscribed = StartBarrier(threads)
        run.producers.store(program.producers, ordering: .relaxed)
        phase.withLock { $0 = "running its threads" }
        inParallel(threads) { thread in
            if thread < scripts {
                for index in self.program.subscribers.indices
                where self.program.subscribers[index].isEarly && index % scripts == thread {
                    self.subscribe(index)
                }
                subscribed.wait()
                self.perform(self.program.scripts[thread])
            } else {
                subscribed.wait()
                self.produce(thread - scripts, random)
                self.run.producers.subtract(1, ordering: .relaxed)
            }
        }
    }

    /// Pushes the elements of this thread's share of the inputs, in random order.
    private func produce(_ thread: Int, _ seed: SplitMix64) {
        var random = SplitMix64(
            seed: mixed(UInt64(thread))
                ^ {
                    var copy = seed; return copy.next()
                }())
        var inputs = run.hot.flatMap { source in source.inputs.map { ($0, $0.first) } }.enumerated()
            .filter { $0.offset % program.producers == thread }.map(\.element)
        let counts = Dictionary(
            program.hot.flatMap { plan in plan.producers.map { ($0, plan.count) } },
            uniquingKeysWith: { first, _ in first })
        while !inputs.isEmpty {
            let index = random.below(inputs.count)
            let (input, number) = inputs[index]
            let count = counts[input.producer, default: 0]
            if number >= count {
                input.end()
                inputs.remove(at: index)
                continue
            }
            input.next(Tagged(producer: input.producer, number: number, of: count))
            run.progress.add(1, ordering: .relaxed)
            inputs[index].1 += 1
            let pause = random.pick(program.pauses)
            if pause > 0 { spin(random.below(pause)) }
        }
    }

    private func perform(_ script: [Action]) {
        var bag = DisposeBag()
        for action in script {
            switch action {
            case .subscribe(let index): subscribe(index)
            case .dispose(let index): slots[index].dispose()
            case .bag(let index): slots[index].disposed(by: bag)
            case .replaceBag: bag = DisposeBag()
            case .pause(let count): spin(count)
            case .awaitProgress(let count):
                while run.progress.load(ordering: .relaxed) < count, run.producers.load(ordering: .relaxed) > 0 {
                    spin(100)
                }
            case .disposeSubject(let index): run.hot[index].dispose()
            case .connect(let index): connect(index)
            case .disconnect(let index): connections.withLock { $0[index]?.popLast() }?.dispose()
            }
        }
        withExtendedLifetime(bag) {}
    }

    private func connect(_ index: Int) {
        let place = program.connectables.sorted().firstIndex(of: index) ?? 0
        let connection = run.connectables.value[place].connect()
        connections.withLock { $0[index, default: []].append(connection) }
    }

    private func subscribe(_ index: Int) {
        let plan = program.subscribers[index]
        start("subscriber \(index)", plan, slots[index])
    }

    private func start(_ name: String, _ plan: SubscriberPlan, _ slot: SingleAssignmentDisposable) {
        let observer = CheckedObserver(name, guarantees) { [findings = run.findings] in findings.report($0) }
        let root = root.withLock { root in
            // Inside the lock, so that the thread that clears `root` finds the slot.
            if root != nil { observers.withLock { $0.append((plan.isEarly, slot, observer)) } }
            return root
        }
        guard var source = root else { return }
        if case .onQueue = plan.leave { source = source.observe(on: Schedulers.serial.scheduler) }
        let subscription = Locked<(any Disposable)?>(nil)
        let leave: @Sendable () -> Void = {
            guard let real = subscription.value else { return slot.dispose() }
            slot.dispose()
            // Another thread may be about to dispose the slot's disposable.
            real.dispose()
            observer.isDisposedHere = true
        }
        let real = observer.subscribe(to: source) { [weak self] count in
            if plan.pause > 0 { spin(plan.pause) }
            if plan.subscribesAt == count {
                var again = plan
                (again.leave, again.subscribesAt, again.isEarly) = (.never, nil, false)
                self?.start("\(name), again", again, SingleAssignmentDisposable())
            }
            switch plan.leave {
            case .inside(count): leave()
            case .onQueue(count):
                _ = Schedulers.serial.scheduler.schedule(()) {
                    leave()
                    return Disposables.create()
                }
            default: break
            }
        }
        subscription.withLock { $0 = real }
        slot.setDisposable(real)
    }
}
