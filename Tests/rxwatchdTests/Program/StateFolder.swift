import Foundation

/// A state directory for successive processes, in which commands leave files, too.
struct StateFolder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("rx-state-\(UUID())").path

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// The lines of a file in the directory; none if there is no such file.
    func lines(_ name: String) -> [String] {
        let text = (try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Starts the program with this state directory.
    func child(_ config: ConfigFile, streams: Child.Streams = .read) throws -> Child {
        try Child(
            "--config", config.path, "--resources", environment: ["STATE_DIRECTORY=\(path)"], streams: streams)
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
