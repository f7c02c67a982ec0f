/// What sinks have done for a source event.
package struct SinkProgress: Sendable, Equatable {
    /// How many events made of it have come to each sink.
    private var begun: [String: Int] = [:]
    /// Which of them each sink is done with.
    package private(set) var done: [String: Set<Int>] = [:]

    package init(done: [String: Set<Int>] = [:]) {
        self.done = done
    }

    mutating func begin(at sink: String) -> Int? {
        let number = begun[sink, default: 0]
        begun[sink] = number + 1
        return done[sink]?.contains(number) == true ? nil : number
    }

    /// Adds what is finished in another record of the same event.
    package mutating func add(_ other: SinkProgress) {
        done.merge(other.done) { $0.union($1) }
    }

    mutating func finish(_ number: Int, at sink: String) {
        done[sink, default: []].insert(number)
    }
}
