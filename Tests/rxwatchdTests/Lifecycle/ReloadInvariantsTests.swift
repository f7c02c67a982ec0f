import Glibc
import Testing

@testable import rxwatchd

/// Invariants that hold after every sequence of inputs, for all sequences up to a length.
struct ReloadInvariantsTests {
    @Test func everySequenceOfInputsKeepsInvariants() {
        var sequences = 0
        var world = World()
        world.begin()
        world.explore(depth: 10, &sequences)
        #expect(sequences > 50_000)
    }
}

/// A state, and the effects of its actions so far.
private struct World {
    typealias State = ReloadState<Int, Int, Int>

    private enum Fate {
        /// The first generation, before it or its replacement is armed: it passes events.
        case starting
        /// Started, and not armed.
        case arming
        case running
        /// Another generation has taken its events or its place, or it was stopped.
        case over
    }

    private var state = State()
    private var inputs: [String] = []
    private var fates: [Int: Fate] = [:]
    /// The generations whose sources may still be armed, including those that are over.
    private var unarmed: [Int] = []
    private var asked = 0
    private var answered: [Int] = []
    /// The clients that requested the last reload.
    private var reading: [Int] = []
    /// Whether RELOADING was sent after the last READY.
    private var isReloading = false
    private var isReading = false
    private var hasEnded = false

    mutating func begin() {
        perform(state.begin(with: 0))
    }

    /// Tries all possible next inputs, each followed by all others, and stops after each of the sequences.
    func explore(depth: Int, _ sequences: inout Int) {
        var stopped = self
        let requesters = stopped.ask()
        stopped.input("stop") { $0.stop(.signal(SIGTERM), answering: requesters) }
        stopped.checkEnd()
        sequences += 1
        guard depth > 0 else { return }
        for next in successors() { next.explore(depth: depth - 1, &sequences) }
    }

    private func successors() -> [World] {
        if isReading {
            return [
                after { world in world.input("good") { $0.configIsGood(0) } },
                after { world in world.input("bad") { $0.configIsBad(0) } },
            ]
        }
        let armings = unarmed.flatMap { number in
            [[], ["no"]].map { failures in
                after { world in
                    world.unarmed.removeAll { $0 == number }
                    world.input("armed \(number) \(failures)") { $0.armed(number, failures: failures) }
                }
            }
        }
        let reloads = [true, false].map { isSignal in
            after { world in
                let requesters = isSignal ? [] : world.ask()
                world.reading = requesters
                world.input("reload \(requesters)") { $0.reload(for: requesters) }
            }
        }
        return armings + reloads
    }

    private func after(_ change: (inout World) -> Void) -> World {
        var world = self
        change(&world)
        return world
    }

    private mutating func ask() -> [Int] {
        asked += 1
        return [asked]
    }

    private mutating func input(_ name: String, _ transition: (inout State) -> [State.Action]) {
        inputs.append(name)
        perform(transition(&state))
        let live = fates.values.filter { $0 != .over }
        #expect(live.count { $0 == .running || $0 == .starting } <= 1 && live.count { $0 == .arming } <= 1, "\(inputs)")
        #expect(hasEnded ? live.isEmpty : !live.isEmpty, "\(inputs)")
        guard !isReading, !hasEnded, !live.contains(.arming), !live.contains(.starting) else { return }
        #expect(!isReloading && answered.count == asked, "nobody waits while nothing is read or armed: \(inputs)")
    }

    private mutating func perform(_ actions: [State.Action]) {
        for action in actions {
            #expect(!hasEnded, "\(inputs)")
            perform(action)
        }
    }

    private mutating func perform(_ action: State.Action) {
        switch action {
        case .start(let number, _, let origin):
            isReading = false
            #expect(fates[number] == nil, "\(number) is used twice: \(inputs)")
            switch origin {
            case .previousProcess:
                #expect(fates.isEmpty, "\(inputs)")
                fates[number] = .starting
            case .replacing(let current):
                #expect(fates[current] == .running || fates[current] == .starting, "\(inputs)")
                fates[number] = .arming
            }
            unarmed.append(number)
        case .dispose(let number): move(number, from: .arming, to: .over)
        case .run(let number, let previous):
            #expect(
                fates.values.contains(.running) ? previous != nil : fates[previous ?? number] == .starting, "\(inputs)")
            move(number, from: previous == nil ? .starting : .arming, to: .running)
            if let previous {
                #expect(fates[previous] == .running || fates[previous] == .starting, "\(inputs)")
                fates[previous] = .over
            }
        case .readConfig: isReading = true
        case .notifyReloading: isReloading = true
        case .notifyReady: isReloading = false
        case .report(let outcome, let requesters):
            answered += requesters
            if case .badConfig = outcome {
                isReading = false
                #expect(requesters == reading, "a bad config answers its own requesters only: \(inputs)")
            }
        case .storeHandover: #expect(fates.values.contains(.running), "\(inputs)")
        case .reportResources(let number): #expect(fates[number] == .running, "\(inputs)")
        case .end(let number):
            #expect(fates[number] != .over, "\(inputs)")
            fates[number] = .over
            hasEnded = true
        }
    }

    private mutating func move(_ number: Int, from: Fate, to: Fate) {
        #expect(fates[number] == from, "\(number): \(inputs)")
        fates[number] = to
    }

    private func checkEnd() {
        #expect(hasEnded && fates.values.allSatisfy { $0 == .over }, "\(inputs)")
        #expect(answered.sorted() == Array(1..<asked + 1), "each is answered once: \(inputs)")
    }
}
