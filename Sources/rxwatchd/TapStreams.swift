import RxControl
import RxEngine
import RxLinux
import RxPipelines
import Synchronization

/// The clients of `rxwatchctl tap`, to which it sends a line of JSON for each event.
final class TapStreams: Sendable {
    /// The most clients at once.
    private static let maximum = 16

    private let taps: Taps
    private let reporter: ResourceReporter
    private let secrets: HiddenSecrets
    private let count = Atomic(0)

    init(_ taps: Taps, _ reporter: ResourceReporter, hiding secrets: HiddenSecrets) {
        (self.taps, self.reporter, self.secrets) = (taps, reporter, secrets)
    }

    /// Sends what nodes do to the client of a request until it closes the connection.
    ///
    /// - Returns: the reason for refusing it; `nil` for none.
    func begin(_ nodes: [String], lifecycle: Bool, _ request: LocalRequest) -> ControlAnswer? {
        guard let generation = reporter.running else { return .nothingRuns }
        let known = generation.graph.picture.sourcesAndPipelines
        let names = Set(known.map(\.name))
        if let unknown = nodes.first(where: { !names.contains($0) }) { return .noNode(unknown, among: known) }
        guard count.add(1, ordering: .relaxed).newValue <= Self.maximum else {
            count.subtract(1, ordering: .relaxed)
            return ControlAnswer(
                "\(Self.maximum) clients follow events already; end one of them", exitCode: ExitCode.failure)
        }
        let tap = SerialDisposable()
        let stream = request.stream(onEnd: { [self] in
            tap.dispose()
            count.subtract(1, ordering: .relaxed)
        })
        guard let stream else {
            count.subtract(1, ordering: .relaxed)
            return nil
        }
        let client = TapClient(lifecycle: lifecycle, hiding: secrets) { stream.send($0.bytes + [UInt8(ascii: "\n")]) }
        tap.disposable = taps.add(nodes) { client.receive($0, $1) }
        return nil
    }
}
