import CLinux
import Glibc

/// A descriptor that is closed when it goes out of scope, unless somebody takes it over. No program that is started
/// inherits it.
struct Descriptor: ~Copyable {
    let number: Int32

    /// What a call to the system returned: an error where that is negative, or one of the last that there can be.
    init(_ number: Int32, _ doing: @autoclosure () -> String) throws(SystemError) {
        guard number >= 0 else { throw SystemError.last(doing()) }
        guard DescriptorReserve.allows(number) else {
            close(number)
            throw SystemError(EMFILE, doing())
        }
        self.number = number
    }

    /// A descriptor that is the caller's.
    init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// The descriptor, which the caller closes from now on.
    consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// The same file under another number, which is none of the standard streams'.
    consuming func apart() throws(SystemError) -> Descriptor {
        if number > STDERR_FILENO { return self }
        return try Descriptor(
            fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), "duplicating a descriptor")
    }

    /// The same file under another number, for somebody who closes his own.
    static func duplicate(_ number: Int32) throws(SystemError) -> Descriptor {
        try Descriptor(fcntl(number, F_DUPFD_CLOEXEC, 0), "duplicating a descriptor")
    }
}

/// Both ends of a pipe.
struct Pipe: ~Copyable {
    let reading: Descriptor
    let writing: Descriptor

    /// A pipe neither of whose ends is one of the standard streams, and whose reading end does not block.
    init() throws(SystemError) {
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

    /// The reading end; the other is closed.
    consuming func takeReading() -> Descriptor {
        reading
    }
}

extension Descriptor {
    /// A file in memory with these bytes in it, read from its beginning, that nobody can change.
    static func memory(_ name: String, _ bytes: [UInt8]) throws(SystemError) -> Descriptor {
        let file = try Descriptor(rx_memory_file(name), "making a file in memory")
        var rest = bytes[...]
        while !rest.isEmpty {
            // Written at a place, so that whoever reads it begins at its beginning.
            let place = off_t(bytes.count - rest.count)
            let count = rest.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, place) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError.last("filling a file in memory") }
            rest = rest.dropFirst(count)
        }
        guard rx_seal(file.number) == 0 else { throw SystemError.last("sealing a file in memory") }
        return file
    }
}
