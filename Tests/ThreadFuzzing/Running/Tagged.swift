import SeededRandom

/// An element that identifies its origin.
package struct Tagged: Hashable, Sendable, CustomStringConvertible {
    /// One run of one producer, on one path through the program. Numbers ascend within a stream.
    var stream: UInt64
    /// The producer's index.
    var producer: Int
    /// The position in the stream, from 0.
    var number: Int
    /// How many elements the stream has.
    var count: Int

    init(producer: Int, run: UInt64 = 0, number: Int, of count: Int) {
        stream = mixed(UInt64(producer) << 32 | run)
        self.producer = producer
        self.number = number
        self.count = count
    }

    /// The element of another stream that is determined by this one and `lane`.
    ///
    /// A part that uses a source more than once gives each use a lane of its own, so that an element still occurs once
    /// in a stream.
    func inLane(_ lane: UInt64) -> Tagged {
        var copy = self
        copy.stream = mixed(mixed(stream &+ 0x1A4E) ^ mixed(lane &+ 1))
        return copy
    }

    package var description: String { "p\(producer)/\(String(stream % 46_656, radix: 36))#\(number)" }
}

/// The error of sources and closures.
struct FuzzError: Error {
    let place: String
}
