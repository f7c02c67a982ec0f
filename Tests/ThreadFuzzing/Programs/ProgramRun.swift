import RxEngine
import Synchronization

/// Executes a program once.
final class ProgramRun: Sendable {
    private let program: Program
    private let run: Run
    private let root: Guarded<Observable<Tagged>?>
    private let guarantees: Guarantees
    private let slots: [SingleAssignmentDisposable]
    private let witnesses = Guarded<[(isEarly: Bool, slot: SingleAssignmentDisposable, witness: Witness)]>([])
    private let connections = Guarded<[Int: [any Disposable]]>([:])
    private let phase = Guarded("assembling")

    init(_ program: Program) {
        self.program = program
        run = Run(program.hot.map { $0.make() })
        guarantees = program.guarantees
        slots = program.subscribers.map { _ in SingleAssignmentDisposable() }
        for (index, part) in program.shared.enumerated() {
            var observable = part.assemble(run)
            if program.connectables.contains(index) {
                let connectable = observable.publish()
                run.connectables.update { $0.append(connectable) }
                observable = connectable
            }
            run.shared.update { [observable] in $0.append(observable) }
        }
        root = Guarded(program.root.assemble(run))
    }

    /// What is known about it at the moment.
    var state: String {
        "\(phase.value); \(run.progress.load(ordering: .relaxed)) elements emitted; "
            + "\(run.producers.load(ordering: .relaxed)) producers and \(run.workers.load(ordering: .relaxed)) "
            + "cold sources at work\n" + witnesses.value.map(\.witness.text).joined(separator: "\n")
    }

    /// Runs it.
    ///
    /// - Returns: what was wrong.
    func execute(_ random: Randomness) -> [String] {
        runThreads(random)
        if guarantees.ends, !disposesSubjects {
            phase.update { $0 = "waiting for the end" }
            let isOver = waitUntil {
                self.witnesses.value.allSatisfy { $0.slot.isDisposed || $0.witness.ending != .none }
            }
            if !isOver { run.report("not every subscriber has received the end") }
        }
        phase.update { $0 = "disposing" }
        for connection in connections.update({ all in all.values.flatMap { $0 } }) { connection.dispose() }
        for (_, slot, _) in witnesses.value { slot.dispose() }
        root.update { $0 = nil }
        run.shared.update { $0 = [] }
        run.connectables.update { $0 = [] }
        connections.update { $0 = [:] }
        let isFree = waitUntil {
            self.run.isFree && self.witnesses.value.allSatisfy { $0.witness.disposals > 0 }
        }
        if !isFree { run.report("not everything was freed after all subscriptions were disposed") }
        run.checkEnd()
        for (isEarly, _, witness) in witnesses.value {
            if witness.disposals != 1 { run.report("onDisposed ran \(witness.disposals) times: \(witness.text)") }
            if isEarly { witness.checkCompleteness() }
        }
        return run.findings.all
    }

    private var disposesSubjects: Bool {
        program.scripts.joined().contains { if case .disposeSubject = $0 { true } else { false } }
    }

    private func runThreads(_ random: Randomness) {
        let scripts = program.scripts.count
        let threads = scripts + program.producers
        let subscribed = StartLine(threads)
        run.producers.store(program.producers, ordering: .relaxed)
        phase.update { $0 = "running its threads" }
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

    /// Pushes the elements of every so many-th inlet, in random turns.
    private func produce(_ thread: Int, _ seed: Randomness) {
        var random = Randomness(
            seed: mixed(UInt64(thread))
                ^ {
                    var copy = seed; return copy.next()
                }())
        var inlets = run.hot.flatMap { source in source.inlets.map { ($0, $0.first) } }.enumerated()
            .filter { $0.offset % program.producers == thread }.map(\.element)
        let counts = Dictionary(
            program.hot.flatMap { plan in plan.producers.map { ($0, plan.count) } },
            uniquingKeysWith: { first, _ in first })
        while !inlets.isEmpty {
            let index = random.below(inlets.count)
            let (inlet, number) = inlets[index]
            let count = counts[inlet.producer, default: 0]
            if number >= count {
                inlet.end()
                inlets.remove(at: index)
                continue
            }
            inlet.next(Tagged(producer: inlet.producer, number: number, of: count))
            run.progress.add(1, ordering: .relaxed)
            inlets[index].1 += 1
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
            case .disconnect(let index): connections.update { $0[index]?.popLast() }?.dispose()
            }
        }
        withExtendedLifetime(bag) {}
    }

    private func connect(_ index: Int) {
        let place = program.connectables.sorted().firstIndex(of: index) ?? 0
        let connection = run.connectables.value[place].connect()
        connections.update { $0[index, default: []].append(connection) }
    }

    private func subscribe(_ index: Int) {
        let plan = program.subscribers[index]
        start("subscriber \(index)", plan, slots[index])
    }

    private func start(_ name: String, _ plan: SubscriberPlan, _ slot: SingleAssignmentDisposable) {
        guard var source = root.value else { return }
        let witness = Witness(name, guarantees) { [findings = run.findings] in findings.report($0) }
        witnesses.update { $0.append((plan.isEarly, slot, witness)) }
        if case .onQueue = plan.leave { source = source.observe(on: Schedulers.serial.scheduler) }
        let subscription = Guarded<(any Disposable)?>(nil)
        let leave: @Sendable () -> Void = {
            guard let real = subscription.value else { return slot.dispose() }
            slot.dispose()
            // Another thread may be about to dispose what the slot holds.
            real.dispose()
            witness.isDisposedHere = true
        }
        let real = witness.subscribe(to: source) { [weak self] count in
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
        subscription.update { $0 = real }
        slot.setDisposable(real)
    }
}
