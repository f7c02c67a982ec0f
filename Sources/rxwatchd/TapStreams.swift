import RxControl
import RxEngine
import RxLinux
import RxPipelines

/// The clients of `rxwatchctl tap`, to which it sends a line of JSON for each event.
final class TapStreams: Sendable {
    /// The most clients of one user at once.
    private static let maximum = 16

    private let taps: TapRegistry
    private let reporter: ResourceReporter
    private let secrets: HiddenSecrets
    /// The number of clients of each user that has any.
    private let counts = Locked<[UInt32: Int]>([:])

    init(_ taps: TapRegistry, _ reporter: ResourceReporter, hiding secrets: HiddenSecrets) {
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
        let user = request.peer.user
        guard add(user) else {
            return ControlAnswer(
                "\(Self.maximum) clients of this user follow events already; end one of them",
                exitCode: ExitCode.failure)
        }
        let tap = SerialDisposable()
        let stream = request.stream(onEnd: { [self] in
            tap.dispose()
            remove(user)
        })
        guard let stream else {
            remove(user)
            return nil
        }
        let client = TapClient(lifecycle: lifecycle, hiding: secrets) { stream.send($0.bytes + [UInt8(ascii: "\n")]) }
        tap.disposable = taps.add(nodes) { client.receive($0, $1) }
        return nil
    }

    /// Counts a client, unless the user has enough.
    private func add(_ user: UInt32) -> Bool {
        counts.withLock { counts in
            let count = counts[user] ?? 0
            if count < Self.maximum { counts[user] = count + 1 }
            return count < Self.maximum
        }
    }

    private func remove(_ user: UInt32) {
        counts.withLock { counts in
            let count = counts[user] ?? 0
            counts[user] = count > 1 ? count - 1 : nil
        }
    }
}
