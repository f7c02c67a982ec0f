/// A point of a model run, totally ordered.
///
/// Moments are ordered first by tick, then by the order in which the virtual scheduler runs the actions of a tick: by
/// when each was scheduled, which is a moment too. Inside one action they are ordered by call order, as a path: the
/// reactions of an operator to an event at `m` happen at `m.step(0)`, `m.step(1)` and so on, so that everything inside
/// the first call precedes the second.
///
/// The trampoline is a FIFO scheduler one level further down. The outermost subscription at `s` runs its body at
/// `s.step(0)` and then the queued actions at `s.step(1)`, ordered by the moment at which each was queued.
package final class Moment: Sendable {
    package let tick: Int
    /// The moment that scheduled the action; `nil` for moments of the setup.
    private let cause: Moment?
    private let parent: Moment?
    private let number: Int
    /// The key that orders siblings of the same number.
    private let key: Moment?
    private let depth: Int
    private let root: Moment?
    /// The outermost subscription whose trampoline this moment is on.
    private let trampoline: Moment?

    private init(
        tick: Int, cause: Moment?, parent: Moment? = nil, number: Int = 0, key: Moment? = nil, root: Moment? = nil,
        trampoline: Moment? = nil
    ) {
        self.tick = tick
        self.cause = cause
        self.parent = parent
        self.number = number
        self.key = key
        depth = parent.map { $0.depth + 1 } ?? 0
        self.root = root
        self.trampoline = trampoline
    }

    /// Before everything: the setup of the program.
    package static let setup = Moment(tick: -1, cause: nil)
    /// After everything.
    package static let never = Moment(tick: .max, cause: nil)

    /// The start of an action that was scheduled at `cause` for `tick`.
    package static func action(at tick: Int, scheduledAt cause: Moment) -> Moment {
        Moment(tick: tick, cause: cause)
    }

    /// The call number `number` in reaction to this moment.
    package func step(_ number: Int) -> Moment {
        Moment(tick: tick, cause: nil, parent: self, number: number, root: root ?? self, trampoline: trampoline)
    }

    /// One of several calls made in the order of their keys.
    package func ordered(by key: Moment) -> Moment {
        Moment(tick: tick, cause: nil, parent: self, number: 0, key: key, root: root ?? self, trampoline: trampoline)
    }

    /// Whether this moment is on a trampoline.
    package var isOnTrampoline: Bool { trampoline != nil }

    /// The body of an outermost subscription made at this moment.
    package func enteringTrampoline() -> Moment {
        Moment(tick: tick, cause: nil, parent: self, number: 0, root: root ?? self, trampoline: self)
    }

    /// The action that was queued at this moment, which is on a trampoline.
    package func turn() -> Moment {
        guard let trampoline else { return step(0) }
        return Moment(
            tick: tick, cause: nil, parent: trampoline, number: 1, key: self, root: trampoline.root ?? trampoline,
            trampoline: trampoline)
    }
}

extension Moment: Comparable {
    package static func < (lhs: Moment, rhs: Moment) -> Bool { order(lhs, rhs) < 0 }
    package static func == (lhs: Moment, rhs: Moment) -> Bool { order(lhs, rhs) == 0 }

    private static func order(_ lhs: Moment, _ rhs: Moment) -> Int {
        if lhs === rhs { return 0 }
        if lhs.tick != rhs.tick { return lhs.tick < rhs.tick ? -1 : 1 }
        let (leftRoot, rightRoot) = (lhs.root ?? lhs, rhs.root ?? rhs)
        if leftRoot !== rightRoot {
            let roots = orderOfCauses(leftRoot, rightRoot)
            if roots != 0 { return roots }
        }
        return orderOfPaths(lhs, rhs)
    }

    private static func orderOfCauses(_ lhs: Moment, _ rhs: Moment) -> Int {
        switch (lhs.cause, rhs.cause) {
        case (nil, nil): 0
        case (nil, _): -1
        case (_, nil): 1
        case (let left?, let right?): order(left, right)
        }
    }

    /// The order of two paths from the same start: everything inside a call follows the call's start.
    private static func orderOfPaths(_ lhs: Moment, _ rhs: Moment) -> Int {
        if lhs === rhs { return 0 }
        if lhs.depth > rhs.depth, let parent = lhs.parent {
            let above = orderOfPaths(parent, rhs)
            return above == 0 ? 1 : above
        }
        if rhs.depth > lhs.depth, let parent = rhs.parent {
            let above = orderOfPaths(lhs, parent)
            return above == 0 ? -1 : above
        }
        guard let left = lhs.parent, let right = rhs.parent else { return 0 }
        let above = orderOfPaths(left, right)
        if above != 0 { return above }
        if lhs.number != rhs.number { return lhs.number < rhs.number ? -1 : 1 }
        switch (lhs.key, rhs.key) {
        case (let left?, let right?): return order(left, right)
        default: return 0
        }
    }
}
