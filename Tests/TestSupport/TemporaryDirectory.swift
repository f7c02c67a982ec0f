import Glibc

/// A directory for one test, which is deleted with the object, together with everything in it.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() {
        var template = Array("/tmp/rx-test-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template).map({ String(cString: $0) }) else {
            fatalError("cannot make a directory in /tmp: \(String(cString: strerror(errno)))")
        }
        self.path = path
    }

    deinit {
        Self.delete(Array(path.utf8CString))
    }

    /// Deletes a file or a directory. `FileManager` would leave files behind whose names are not UTF-8.
    private static func delete(_ path: [CChar]) {
        guard unlink(path) != 0, errno == EISDIR, let directory = opendir(path) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                $0.prefix { $0 != 0 }.map { CChar(bitPattern: $0) }
            }
            if name == [46] || name == [46, 46] { continue }
            delete(path.dropLast() + [47] + name + [0])
        }
        closedir(directory)
        rmdir(path)
    }

    /// The path of a file in the directory, or of the directory itself for an empty name.
    package func callAsFunction(_ name: String) -> String { name.isEmpty ? path : "\(path)/\(name)" }

    /// Writes a file in the directory.
    package func write(_ name: String, _ text: String) {
        guard let file = fopen(self(name), "w") else { return }
        fputs(text, file)
        fclose(file)
    }

    /// The content of a file in the directory; empty if it cannot be read.
    package func text(_ name: String) -> String {
        guard let file = fopen(self(name), "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
