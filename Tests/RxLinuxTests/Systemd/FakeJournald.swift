import CLinux
import Glibc
import Testing

/// journald's end of its socket, as far as a writer sees it.
final class FakeJournald {
    private let descriptor: Int32
    private let path: String

    init(_ path: String) throws {
        self.path = path
        unlink(path)
        descriptor = socket(AF_UNIX, rx_socket_datagram | rx_socket_cloexec, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// A record: its fields, and whether it arrived in a file.
    struct Record: Equatable {
        var fields: [String: [UInt8]]
        var cameInFile = false
        var isSealed = false

        func text(_ name: String) -> String? {
            fields[name].map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The next record; `nil` if there is none.
    func next() -> Record? {
        var waiting: Int32 = 0
        _ = ioctl(descriptor, UInt(FIONREAD), &waiting)
        var bytes = [UInt8](repeating: 0, count: max(1 << 16, Int(waiting)))
        var files = [Int32](repeating: -1, count: 4)
        var count = files.count
        let size = rx_receive(descriptor, &bytes, bytes.count, &files, &count)
        guard size >= 0 else { return nil }
        guard count > 0 else { return Record(fields: Self.fields(bytes[..<size])) }
        defer { for file in files[..<count] { close(file) } }
        var status = stat()
        fstat(files[0], &status)
        var contents = [UInt8](repeating: 0, count: Int(status.st_size))
        let read = pread(files[0], &contents, contents.count, 0)
        let isSealed = pwrite(files[0], "x", 1, 0) < 0 && errno == EPERM
        return Record(fields: Self.fields(contents[..<max(0, read)]), cameInFile: true, isSealed: isSealed)
    }

    /// All records that have arrived.
    func rest() -> [Record] {
        var records: [Record] = []
        while let record = next() { records.append(record) }
        return records
    }

    private static func fields(_ bytes: ArraySlice<UInt8>) -> [String: [UInt8]] {
        var rest = bytes
        var fields: [String: [UInt8]] = [:]
        while let newline = rest.newline {
            let line = rest[..<newline]
            rest = rest[(newline + 1)...]
            if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                fields[String(decoding: line[..<equals], as: UTF8.self)] = Array(line[(equals + 1)...])
            } else {
                let size = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                let value = rest.dropFirst(8).prefix(size)
                fields[String(decoding: line, as: UTF8.self)] = Array(value)
                rest = rest.dropFirst(8 + size + 1)
            }
        }
        return fields
    }
}

extension ArraySlice<UInt8> {
    fileprivate var newline: Int? {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let found = memchr(start, 0x0A, bytes.count) else { return nil }
            return startIndex + (UnsafeRawPointer(found) - start)
        }
    }
}
