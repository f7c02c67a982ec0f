import RxJSON

/// The names of a pipeline's sinks, under which their events are queued, stored and noted.
///
/// A sink keeps its name when others are inserted, removed or moved, over reloads and restarts.
package struct SinkNames: Sendable, Equatable {
    /// A sink and its number.
    package struct Entry: Sendable, Equatable {
        /// The name of the sink's kind: "http".
        package let kind: String
        /// Unique among the pipeline's sinks of the kind, from 1.
        package let number: Int
        /// The text of the sink in the configuration, without credentials.
        package let content: String

        package init(kind: String, number: Int, content: String) {
            self.kind = kind
            self.number = number
            self.content = content
        }

        /// Unique in the pipeline: "http", "http-2".
        package var name: String { number == 1 ? kind : "\(kind)-\(number)" }
    }

    /// The sinks in the configuration's order.
    package private(set) var sinks: [Entry]
    /// The sinks that the configuration no longer has. Their numbers are reserved for them.
    package private(set) var removed: [Entry]

    package init(sinks: [Entry] = [], removed: [Entry] = []) {
        self.sinks = sinks
        self.removed = removed
    }

    /// All names that are in use or reserved.
    var all: [String] { (sinks + removed).map(\.name) }

    /// Whether the sinks of each kind are numbered in their order.
    package var isInOrder: Bool {
        let inOrder = SinkNames().next(for: sinks.map { (kind: $0.kind, content: $0.content) })
        return inOrder.sinks == sinks
    }

    /// The names of the sinks of a new configuration. A sink takes the number of the earlier sink with the same text, or
    /// else of the first remaining one of its kind; any other sink gets a new number.
    func next(for wanted: [(kind: String, content: String)]) -> SinkNames {
        var next = SinkNames(removed: removed)
        var left = sinks
        var found: [Entry?] = wanted.map { sink in
            left.remove { $0.content.hasSameBytes(as: sink.content) }
                ?? next.removed.remove { $0.content.hasSameBytes(as: sink.content) }
        }
        for (index, sink) in wanted.enumerated() where found[index] == nil {
            found[index] = left.remove { $0.kind == sink.kind }
                .map { Entry(kind: sink.kind, number: $0.number, content: sink.content) }
        }
        next.removed += left
        var numbers = Dictionary(grouping: sinks + removed, by: \.kind).mapValues { FreeNumbers(besides: $0) }
        next.sinks = zip(wanted, found).map { sink, entry in
            if let entry { return entry }
            let number = numbers[sink.kind, default: FreeNumbers(besides: [])].next()
            return Entry(kind: sink.kind, number: number, content: sink.content)
        }
        return next
    }

    /// A copy without the removed sinks that nothing refers to: their numbers become free.
    func forgettingRemoved(unless isReferredTo: (String) -> Bool) -> SinkNames {
        SinkNames(sinks: sinks, removed: removed.filter { isReferredTo($0.name) })
    }
}

/// The numbers for new sinks of a kind: those above the highest one in use, and then the lower free ones.
///
/// Only a forged file of the state has a number with none above it.
private struct FreeNumbers {
    private let used: Set<Int>
    private var last: Int

    init(besides entries: [SinkNames.Entry]) {
        used = Set(entries.map(\.number))
        last = max(0, used.max() ?? 0)
    }

    mutating func next() -> Int {
        repeat { last = last < Int.max ? last + 1 : 1 } while used.contains(last)
        return last
    }
}

extension Array {
    /// Removes the first element that satisfies the predicate.
    fileprivate mutating func remove(where predicate: (Element) -> Bool) -> Element? {
        firstIndex(where: predicate).map { remove(at: $0) }
    }
}
