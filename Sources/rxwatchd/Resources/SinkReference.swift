import RxControl
import RxDiagnostics
import RxPipelines

/// A name that a request gives to a sink: `api/http`, or `http` if no other sink has that name.
struct SinkReference {
    /// What a name means.
    enum Meaning: Equatable {
        /// The sink with this key.
        case sink(String)
        /// The sinks with these keys have the name.
        case several([String])
        case unknown
    }

    let name: String

    /// What the name means among the sinks with these keys.
    func meaning(among keys: [String]) -> Meaning {
        if keys.contains(name) { return .sink(name) }
        let found = keys.filter { Self.parts(of: $0).sink == name }
        return found.count > 1 ? .several(found) : found.first.map { .sink($0) } ?? .unknown
    }

    /// The pipeline and the name of the sink with a key. A pipeline for the sinks of `onError` has a '/' in its name.
    static func parts(of key: String) -> (pipeline: String, sink: String) {
        guard let slash = key.lastIndex(of: "/") else { return ("", key) }
        return (String(key[..<slash]), String(key[key.index(after: slash)...]))
    }

    /// The error of a name that several sinks have.
    func ambiguity(_ keys: [String]) -> ControlAnswer {
        ControlAnswer(
            "\(counted(keys.count, "sink")) have the name '\(name.shortened)': write \(keys.joined(separator: " or "))",
            exitCode: ExitCode.failure)
    }
}
