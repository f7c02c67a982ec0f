import Glibc
import TestSupport
import Testing

/// The directory that contains Package.swift.
let repository = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/\($1)" }

/// A file that is deleted with the object.
final class TemporaryFile {
    private let folder = TemporaryDirectory()
    var path: String { folder("file") }

    init(_ text: String) {
        folder.write("file", text)
    }
}

func text(of path: String) throws -> String {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self)
}

/// The names in a directory, sorted.
func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        names.append(
            withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            })
    }
    return names.sorted()
}

/// The paths of the configurations that are installed.
let shippedConfigs = ["Config", "Config/examples"].flatMap { folder in
    names(in: "\(repository)/\(folder)").filter { $0.hasSuffix(".yaml") }.map { "\(repository)/\(folder)/\($0)" }
}
