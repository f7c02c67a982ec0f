import Foundation
import Glibc
import RxEngine
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// Reloads edit a `files` source while files are created.
@Suite(.balanced, .serialized) struct ReloadFilesTests {
    private static let files = 1_550
    private static let reloads = 40

    private func config(_ path: String, _ settle: String) -> String {
        """
        sources: { s: { files: { paths: \(path), settle: \(settle) } } }
        pipelines: { p: { from: s, steps: [filter: '.kind == "created"', map: .path], to: [stdout] } }
        """
    }

    /// Settling is switched on and off, and set to a time that is shorter or longer than the interval of the reloads.
    @Test(arguments: [["0s", "1ms", "20ms"], ["300ms", "301ms"]]) func reloadLosesNoCreatedFile(settle: [String])
        async throws
    {
        let folder = TemporaryDirectory()
        let lines = Cell<[String]>([])
        let host = Host()
        let current = Cell<Graph?>(nil)
        let generation = Cell(0)
        func reload(_ text: String) async throws {
            let (previous, isDone) = (current.value, Cell(false))
            let next = Graph(
                try Plan.read(text.utf8, file: "t.yaml"), replacing: previous, generation: { 1 }, host: host,
                records: SinkRecords(Cell([])),
                printLine: { line, receipt in
                    // A line of a sink that is being replaced may have been cancelled.
                    guard receipt.begin() else { return }
                    lines.append(line)
                    receipt.end(.written)
                },
                makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
            current.update { $0 = next }
            next.start { _ in
                guard let previous else { return isDone.update { $0 = true } }
                next.replace(previous, drain: .zero) { isDone.update { $0 = true } }
            }
            try await eventually("the graph is replaced") { isDone.value }
            generation.update { $0 += 1 }
        }
        try await reload(config(folder.path, settle[0]))
        let written = Cell(0)
        let path = folder.path
        let thread = Thread {
            for number in 0..<Self.files {
                close(open("\(path)/\(number)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
                written.update { $0 = number + 1 }
                // As slow as the reloads.
                while generation.value * Self.files < (number - 40) * Self.reloads { sched_yield() }
            }
        }
        thread.start()
        for round in 1...Self.reloads { try await reload(config(folder.path, settle[round % settle.count])) }
        try await eventually("\(lines.value.count) of \(written.value)", within: .seconds(60)) {
            written.value == Self.files && Set(lines.value).count >= Self.files
        }
        #expect(lines.value.count == Self.files)
        current.value?.dispose()
        current.update { $0 = nil }
    }
}
