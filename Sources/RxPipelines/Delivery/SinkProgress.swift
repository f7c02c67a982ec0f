import RxJSON

/// The progress of the sinks with a source event: the events made of it that they have finished or failed on.
package struct SinkProgress: Sendable, Equatable {
    /// The progress of one sink with the events made of a source event.
    private struct Entry: Sendable {
        let sink: String
        /// The number of events made of the source event that have reached the sink.
        var begun = BranchCounts()
        /// The numbers of those that the sink has finished.
        var done = NumberSet()
        /// Descriptions of its failures, by the events' numbers: these events go to `onError`.
        var failures: [Int: JSON] = [:]

        func arrival(_ number: Int) -> Arrival {
            Arrival(number: number, isDone: done.contains(number), failure: failures[number])
        }
    }

    /// An array and not a dictionary, since an event reaches few sinks.
    private var entries: [Entry] = []

    package init(done: [String: Set<Int>] = [:], failures: [String: [Int: JSON]] = [:]) {
        entries = Set(done.keys).union(failures.keys).map { sink in
            Entry(sink: sink, done: NumberSet(done[sink] ?? []), failures: failures[sink] ?? [:])
        }
    }

    /// The numbers of the events that each sink has finished.
    package var done: [String: Set<Int>] {
        Dictionary(entries.compactMap { $0.done.isEmpty ? nil : ($0.sink, $0.done.all) }) { $0.union($1) }
    }

    /// The descriptions of the failures of each sink, by the events' numbers.
    package var failures: [String: [Int: JSON]] {
        Dictionary(entries.compactMap { $0.failures.isEmpty ? nil : ($0.sink, $0.failures) }) { $1 }
    }

    /// The progress without the counts of arrivals, for an event that is delivered again.
    var toBeRedelivered: SinkProgress { SinkProgress(done: done, failures: failures) }

    package static func == (left: SinkProgress, right: SinkProgress) -> Bool {
        left.done == right.done && left.failures == right.failures
    }

    private mutating func change<Result>(_ sink: String, _ body: (inout Entry) -> Result) -> Result {
        if let index = entries.firstIndex(where: { $0.sink == sink }) { return body(&entries[index]) }
        entries.append(Entry(sink: sink))
        return body(&entries[entries.count - 1])
    }

    mutating func begin(at sink: String, in branch: EventBranch) -> Arrival {
        change(sink) { $0.arrival($0.begun.next(in: branch)) }
    }

    mutating func arrival(_ number: Int, at sink: String) -> Arrival {
        change(sink) { $0.arrival(number) }
    }

    mutating func finish(_ number: Int, at sink: String) {
        change(sink) { $0.done.insert(number) }
    }

    mutating func fail(_ number: Int, at sink: String, _ failure: JSON) {
        change(sink) { $0.failures[number] = failure }
    }

    /// Adds the finished numbers and the failures of another record of the same event.
    package mutating func add(_ other: SinkProgress) {
        for theirs in other.entries {
            change(theirs.sink) { entry in
                entry.done.formUnion(theirs.done)
                entry.failures.merge(theirs.failures) { $1 }
            }
        }
    }
}

/// The arrival of an event at a sink.
struct Arrival {
    /// The number of the arrival among those of events that are made of the same source event.
    let number: Int
    /// Whether the sink finished it before the redelivery.
    var isDone = false
    /// The description of the sink's failure before the redelivery.
    var failure: JSON?
}

/// A set of numbers that is compact if they are added in order from 0.
private struct NumberSet: Sendable {
    /// All numbers from 0 up to this one, exclusive, are in the set.
    private var end = 0
    private var others: Set<Int> = []

    init() {}

    init(_ numbers: Set<Int>) {
        others = numbers
        extend()
    }

    var isEmpty: Bool { end == 0 && others.isEmpty }
    var all: Set<Int> { others.union(0..<end) }

    func contains(_ number: Int) -> Bool { 0..<end ~= number || others.contains(number) }

    mutating func insert(_ number: Int) {
        if number != end {
            if !contains(number) { others.insert(number) }
        } else {
            end += 1
            extend()
        }
    }

    mutating func formUnion(_ more: NumberSet) {
        others.formUnion(more.others)
        end = max(end, more.end)
        others = others.filter { $0 >= end }
        extend()
    }

    private mutating func extend() {
        while !others.isEmpty, others.remove(end) != nil { end += 1 }
    }
}
