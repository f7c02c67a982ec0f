// Laws of a `Driver` and a `Signal` with any number of subscribers.

extension Check {
    static let sharedTraits =
        [
            law("the operators of driver and signal are those of observables, shared", of: \.usingSharedTraits) {
                $0.usingSharedTraits.withoutSharedTraits
            }
        ] + Trait.shared.map(lateSubscribers)

    /// Subscribers that subscribe while the first is subscribed receive the later elements, those of a `Driver` the
    /// latest earlier element as well, and have no other effect.
    private static func lateSubscribers(of trait: Trait) -> Check {
        Check(name: "late subscribers of a \(trait) share its run") { program in
            var program = program
            program.feedback = []
            program.root = .one(.via(trait, .asObservable), program.root)
            // Sources such as `just` have no run that could be shared.
            guard case .one(.share, _) = program.root.withoutSharedTrait else { return .discarded }
            program.subscribers = [Subscriber(subscribesAt: 2, disposesAt: Program.horizon)]
            if program.isPlain, !Model.isDefined(program) { return .discarded }
            let alone = Engine.run(program)
            if alone.hasRunAway { return .discarded }
            if let broken = alone.brokenRule { return .fails(expected: alone, actual: alone.saying(broken)) }
            // A subscriber after the end starts another run.
            let late = lateSubscribers.filter { $0.subscribesAt <= alone.endOfFirst ?? .max }
            if late.isEmpty { return .discarded }
            program.subscribers += late
            let actual = Engine.run(program)
            if actual.entries.count >= Recording.limit { return .discarded }
            if let broken = actual.brokenRule { return .fails(expected: alone, actual: actual.saying(broken)) }
            let expected = late.enumerated().reduce(alone) {
                $0.joined(by: $1.element, number: $1.offset + 1, replays: trait == .driver)
            }
            return expected.bySubscriber == actual.bySubscriber
                ? .holds : .fails(expected: expected.bySubscriber, actual: actual.bySubscriber)
        }
    }

    private static let lateSubscribers = [
        Subscriber(subscribesAt: 4, disposesAt: 59), Subscriber(subscribesAt: 9, disposesAt: 12),
        Subscriber(subscribesAt: 16, disposesAt: 40), Subscriber(subscribesAt: 30, disposesAt: 59),
    ]
}

extension Program {
    fileprivate var withoutSharedTraits: Program {
        var program = self
        program.root = root.withoutSharedTraits
        for index in shared.indices { program.shared[index].node = shared[index].node.withoutSharedTraits }
        return program
    }

    /// The program, with a `Driver` at the end if it has none of the sharing traits.
    fileprivate var usingSharedTraits: Program {
        if ([root] + shared.map(\.node)).contains(where: \.usesSharedTraits) { return self }
        var program = self
        program.root = .one(.via(.driver, .asObservable), root)
        return program
    }
}

extension Recording {
    /// When the first subscriber receives the end.
    fileprivate var endOfFirst: Int? {
        entries.first { if case .event(0, let event) = $0.kind { event.isTerminal } else { false } }?.tick
    }

    /// The recording with another subscriber of the first one's elements. In the tick in which it subscribes or
    /// unsubscribes, it does so before anything is delivered.
    fileprivate func joined(by subscriber: Subscriber, number: Int, replays: Bool) -> Recording {
        let events = entries.compactMap { entry -> TimedEvent? in
            if case .event(0, let event) = entry.kind { TimedEvent(entry.tick, event) } else { nil }
        }
        let missed = events.last { $0.tick < subscriber.subscribesAt }.map {
            TimedEvent(subscriber.subscribesAt, $0.event)
        }
        let rest = events.filter { (subscriber.subscribesAt..<subscriber.disposesAt).contains($0.tick) }
        var recording = self
        recording.entries += ((replays ? [missed].compactMap { $0 } : []) + rest).map {
            Entry(tick: $0.tick, kind: .event(subscriber: number, $0.event))
        }
        return recording
    }

    /// The events of the late subscribers after everything else.
    fileprivate var bySubscriber: Recording {
        let numbers = entries.map { if case .event(let number, _) = $0.kind { number } else { 0 } }
        let last = numbers.max() ?? 0
        return Recording(
            entries: (0...last).flatMap { number in
                zip(entries, numbers).filter { $0.1 == number }.map(\.0)
            })
    }
}
