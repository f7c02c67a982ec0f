import RxDiagnostics
import RxPipelines

extension Record {
    /// What is wrong with a config, as the records of a kind.
    static func problems(_ kind: RecordKind, _ diagnostics: Diagnostics, generation: Int) -> [Record] {
        diagnostics.separated.map { problem in
            Record(
                kind, .err, generation: generation, "\(problem)",
                [.error: problem.list.first.map { "\($0)" }, .errorType: "Diagnostic"])
        }
    }
}
