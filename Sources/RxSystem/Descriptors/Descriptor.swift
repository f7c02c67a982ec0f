import CLinux
import Glibc

/// A descriptor that is closed at the end of its scope, unless it is released. Started programs do not inherit it.
package struct Descriptor: ~Copyable {
    package let number: Int32

    /// Takes ownership of the result of a system call; throws if it is negative, or one of the last free descriptors.
    package init(_ number: Int32, _ doing: @autoclosure () -> String) throws(SystemError) {
        guard number >= 0 else { throw SystemError.last(doing()) }
        guard DescriptorReserve.allows(number) else {
            close(number)
            throw SystemError(EMFILE, doing())
        }
        self.number = number
    }

    /// Takes ownership of a descriptor from the caller.
    package init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Returns the descriptor, which the caller now owns.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Returns a descriptor of the same file whose number is not that of a standard stream.
    package consuming func apart() throws(SystemError) -> Descriptor {
        if number > STDERR_FILENO { return self }
        return try Descriptor(
            fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), "duplicating a descriptor")
    }

    /// Returns a duplicate, which the caller owns.
    package static func duplicate(_ number: Int32) throws(SystemError) -> Descriptor {
        try Descriptor(fcntl(number, F_DUPFD_CLOEXEC, 0), "duplicating a descriptor")
    }
}

/// The two ends of a pipe.
package struct Pipe: ~Copyable {
    package let reading: Descriptor
    package let writing: Descriptor

    /// Creates a pipe with a non-blocking reading end. Neither end has the number of a standard stream.
    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError.last("making a pipe") }
        let first = Descriptor(owning: ends[0])
        let second = Descriptor(owning: ends[1])
        guard DescriptorReserve.allows(max(ends[0], ends[1])) else { throw SystemError(EMFILE, "making a pipe") }
        let reading = try first.apart()
        let writing = try second.apart()
        _ = fcntl(reading.number, F_SETFL, O_RDONLY | O_NONBLOCK)
        self.reading = reading
        self.writing = writing
    }

    /// Returns the reading end, and closes the other.
    package consuming func takeReading() -> Descriptor {
        reading
    }
}

extension Descriptor {
    /// Creates a read-only file in memory with these bytes, positioned at its start.
    package static func memory(_ name: String, _ bytes: [UInt8]) throws(SystemError) -> Descriptor {
        let file = try Descriptor(rx_memory_file(name), "making a file in memory")
        var rest = bytes[...]
        while !rest.isEmpty {
            // pwrite does not move the file position, so that reading starts at the beginning.
            let offset = off_t(bytes.count - rest.count)
            let count = rest.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, offset) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError.last("filling a file in memory") }
            rest = rest.dropFirst(count)
        }
        guard rx_seal(file.number) == 0 else { throw SystemError.last("sealing a file in memory") }
        return file
    }
}
