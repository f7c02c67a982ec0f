import TestSupport

/// An async sequence that counts what it has made, and how far it is ahead of what was requested.
final class PullCounter: Sendable {
    private struct State {
        var made = 0
        var requested = 0
        var largestLead = 0
        var running = 0
    }

    private let state = Cell(State())
    private let onPull: @Sendable () -> Void

    /// - Parameter onPull: called when an iterator is asked for its next number.
    init(onPull: @escaping @Sendable () -> Void = {}) { self.onPull = onPull }

    var made: Int { state.value.made }
    var largestLead: Int { state.value.largestLead }
    /// The number of iterators.
    var running: Int { state.value.running }

    /// Counts a request of the consumer, before it makes it.
    func request() {
        state.update { $0.requested += 1 }
    }

    func numbers(upTo end: Int) -> Numbers {
        Numbers(counter: self, end: end)
    }

    struct Numbers: AsyncSequence, Sendable {
        let counter: PullCounter
        let end: Int

        func makeAsyncIterator() -> Iterator {
            Iterator(counter: counter, end: end)
        }
    }

    final class Iterator: AsyncIteratorProtocol {
        private let counter: PullCounter
        private let end: Int
        private var last = 0

        init(counter: PullCounter, end: Int) {
            self.counter = counter
            self.end = end
            counter.state.update { $0.running += 1 }
        }

        deinit {
            counter.state.update { $0.running -= 1 }
        }

        func next() async -> Int? {
            counter.onPull()
            guard last < end else { return nil }
            last += 1
            counter.state.update {
                $0.made += 1
                // The consumer counts a request before it takes the element, so it has taken that many at most.
                $0.largestLead = max($0.largestLead, $0.made - $0.requested)
            }
            return last
        }
    }
}
