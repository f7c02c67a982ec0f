/// Runs programs by the meaning of each operator, written as a function from lists of events to a list of events.
package final class Model {
    private let program: Program
    private let hots: [[Occurrence]]
    /// How many more steps the run may take.
    private var budget: Int
    /// Parts of the program's behavior that the contract leaves open.
    private var unspecified: Set<Unspecified> = []

    /// Behavior that the contract leaves open: programs with it are discarded.
    enum Unspecified {
        /// What `amb` does with a source to which it subscribes after another has won.
        case ambLostBeforeStart
        /// When `subscribe(on:)` releases a source that was disposed: on the scheduler, but at once inside the action
        /// that subscribes, and if an operator on the source notices by an event that nothing is delivered any more.
        case subscribeOnDisposed
        /// What the connection of `multicast(_:selector:)` does after it has ended inside its own start.
        case multicastEndedInStart
        /// What a shared run still subscribes to when its only subscriber unsubscribes during its start.
        case sharingLeftInStart
        /// Sequences that several subscribers share at the same time: specified, but not in the model.
        case sharing
    }

    var notModelled: ModelSequence {
        meets(.sharing)
        return source(.never)
    }

    /// Notes that the program's behavior is open.
    func meets(_ case: Unspecified) {
        unspecified.insert(`case`)
    }

    private init(_ program: Program, budget: Int) {
        self.program = program
        self.budget = budget
        var number = 0
        hots = program.hots.map { events in
            events.map {
                number += 1
                return Occurrence(
                    at: .action(at: $0.tick, scheduledAt: Moment.setup.step(number)), event: $0.event)
            }
        }
    }

    /// The recording that the program must have; `nil` if it takes more steps than its budget.
    package static func run(_ program: Program, budget: Int = 4000) -> Recording? {
        Model(program, budget: budget).run(ignoring: [])
    }

    /// Whether the contract specifies the program's behavior, and its budget of steps is sufficient.
    static func isDefined(_ program: Program, budget: Int = 4000) -> Bool {
        // A replay to a second subscriber may let a resubscribing operator do so endlessly.
        Model(program, budget: budget).run(ignoring: program.root.mayRepeat ? [] : [.sharing]) != nil
    }

    /// Takes steps from the budget.
    ///
    /// - Returns: whether there were enough.
    func spend(_ amount: Int) -> Bool {
        budget -= amount
        return budget > 0
    }

    private func run(ignoring ignored: Set<Unspecified>) -> Recording? {
        let builder = RecordingBuilder()
        let sequence = sequence(program.root)
        for (number, subscriber) in program.subscribers.enumerated() {
            // Subscribing and disposing are actions that were scheduled after the events of the hot sources.
            let start = Moment.action(
                at: subscriber.subscribesAt, scheduledAt: Moment.setup.step(1000 + 2 * number))
            let end = Moment.action(at: subscriber.disposesAt, scheduledAt: Moment.setup.step(1001 + 2 * number))
            guard observe(Child(sequence, at: start), subscriber, number, until: end, builder) else { return nil }
        }
        return budget > 0 && unspecified.isSubset(of: ignored) ? builder.recording : nil
    }

    /// Records the events of a subscriber.
    ///
    /// - Returns: whether the model could run that far.
    private func observe(
        _ child: Child, _ subscriber: Subscriber, _ number: Int, until end: Moment, _ builder: RecordingBuilder
    ) -> Bool {
        var cut = Cut(silence: end, release: end)
        var elements = 0
        for occurrence in child.run.events where occurrence.at < cut.silence {
            if occurrence.event == .outOfBudget { return false }
            builder.note(.event(subscriber: number, occurrence.event), at: occurrence.at)
            elements += 1
            if occurrence.event.isTerminal || elements == subscriber.disposesAfter {
                // A subscriber has no handle to dispose until `subscribe` has returned; the end needs none.
                let after = occurrence.at.step(0)
                let silence = occurrence.event.isTerminal ? after : max(after, child.returned)
                if silence < cut.silence { cut = Cut(silence: silence, release: silence) }
            }
        }
        child.end(cut, builder)
        return true
    }

    // MARK: - The expression

    func sequence(_ node: Node) -> ModelSequence {
        if node.trait?.isShared == true { return sequence(node.withoutSharedTrait) }
        return switch node {
        case .source(let source): self.source(source)
        case .one(.via(let trait, let name), let node): one(trait, name, sequence(node, as: trait))
        case .two(.via(let trait, let name), let first, let second): two(trait, name, first, second)
        case .many(.via(.single, .zipCollection), []): source(.just(Self.digest([]))).viaTrampoline
        case .many(.via(let trait, let name), let nodes): many(trait, name, nodes.map { sequence($0, as: trait) })
        case .each(.traitFlatMap, _, _): traitFlatMap(node)
        case .each(.via(let trait, let name), let node, let choice):
            // Only `Infallible` has such a choice: it does not deliver the errors of its closures' sequences.
            flatten(name, sequence(node, as: trait), Choosing(choice, choice.nodes.map { sequence($0).guarded }))
        case .one(let name, let node): one(name, sequence(node))
        case .two(let name, let first, let second): two(name, sequence(first), sequence(second))
        case .many(let name, let nodes): many(name, nodes.map(sequence))
        case .each(let name, let node, let choice):
            flatten(name, sequence(node), Choosing(choice, choice.nodes.map(sequence)))
        }
    }

    /// The events of a hot observable for a subscriber from `start` on.
    func hotEvents(_ number: Int, from start: Moment) -> [Occurrence] {
        Self.events(hots[number], from: start)
    }

    /// The events of a hot list that a subscriber from `start` on receives: subscribers receive each event in
    /// subscription order.
    static func events(_ hot: [Occurrence], from start: Moment) -> [Occurrence] {
        var events: [Occurrence] = []
        for occurrence in hot where start < occurrence.at {
            events.append(Occurrence(at: occurrence.at.ordered(by: start), event: occurrence.event))
            if occurrence.event.isTerminal { break }
        }
        return events
    }
}

/// Makes a sequence of each element.
struct Choosing {
    private let choice: Choice
    private let sequences: [ModelSequence]

    init(_ choice: Choice, _ sequences: [ModelSequence]) {
        self.choice = choice
        self.sequences = sequences
    }

    func callAsFunction(_ value: Int) throws -> ModelSequence { sequences[try choice.index(value)] }
}

extension Node {
    /// Whether it has an operator that may resubscribe to its source any number of times.
    fileprivate var mayRepeat: Bool {
        switch self {
        case .one(.retryForever, _), .one(.retryPolicy, _), .two(.retryWhen, _, _), .two(.retryWhenTyped, _, _),
            .two(.repeatWhen, _, _), .two(.via(_, .retryWhen), _, _):
            true
        default: children.contains(where: \.mayRepeat)
        }
    }
}
