import CSystemd
import Glibc

/// The system's journal, written to in its native protocol.
public enum Journal {
    /// Writes one record. Blocks while journald's socket is full.
    ///
    /// If journald does not run, the record is lost without an error, as with every libsystemd client.
    public static func send(_ fields: [JournalField]) throws(SystemError) {
        let status = withVectors(of: fields) { sd_journal_sendv($0, Int32($1)) }
        if status < 0 { throw SystemError(-status, "writing to the journal") }
    }

    /// Whether this process's standard error is connected to the journal.
    ///
    /// Its readers are readers of the journal then.
    public static var isStandardError: Bool {
        guard let stream = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }

    /// Calls `body` with the fields in the form `NAME=value` of the protocol.
    private static func withVectors<Result>(
        of fields: [JournalField], _ body: (UnsafePointer<iovec>?, Int) -> Result
    ) -> Result {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for field in fields {
            bytes += field.name.utf8
            bytes.append(UInt8(ascii: "="))
            bytes += field.value
            ends.append(bytes.count)
        }
        return bytes.withUnsafeMutableBytes { buffer in
            var start = 0
            let vectors = ends.map { end in
                defer { start = end }
                return iovec(iov_base: buffer.baseAddress.map { $0 + start }, iov_len: end - start)
            }
            return vectors.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
        }
    }
}
