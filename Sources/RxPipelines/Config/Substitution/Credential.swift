import Glibc
import RxDiagnostics

/// A credential that the service manager passes to the service in a file of the same name.
enum Credential {
    /// The size limit of systemd, in bytes.
    private static let maximumSize = 1 << 20

    /// The reason why a credential cannot be used.
    struct Failure: Error {
        let message: String
    }

    static func isName(_ name: String) -> Bool {
        let first = name.utf8.first
        return !name.isEmpty && name.utf8.count <= 255 && first != UInt8(ascii: ".") && first != UInt8(ascii: "-")
            && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    }

    /// Reads a credential, without the line end that editors append.
    static func read(_ name: String, in directory: String?) throws(Failure) -> String {
        let remedy = "hand it to the service with LoadCredential=\(name):PATH"
        guard let directory else {
            throw Failure(
                message: "there is no credential '\(name)': $CREDENTIALS_DIRECTORY is not set; \(remedy)")
        }
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read("\(directory)/\(name)", limit: maximumSize)
        } catch  where error.code == ENOENT {
            let near = NearestName.hint(for: name, in: FileBytes.names(in: directory) ?? [])
            let advice = near.isEmpty ? "; \(remedy)" : "\(near) If not, \(remedy)"
            throw Failure(message: "there is no credential '\(name)' in \(directory)\(advice)")
        } catch {
            throw Failure(message: "the credential '\(name)' in \(directory) cannot be read: \(error.reason)")
        }
        if bytes.count > maximumSize { throw Failure(message: "the credential '\(name)' has more than 1 MiB") }
        guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
            throw Failure(message: "the credential '\(name)' is not text in UTF-8")
        }
        var scalars = text.unicodeScalars
        if scalars.last == "\n" { scalars.removeLast() }
        if scalars.last == "\r" { scalars.removeLast() }
        return String(scalars)
    }
}
