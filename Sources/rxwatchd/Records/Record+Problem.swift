import RxDiagnostics
import RxPipelines

extension Record {
    /// The errors of a configuration as records of a kind, one for each.
    static func problems(_ kind: RecordKind, _ diagnostics: Diagnostics, generation: Int) -> [Record] {
        diagnostics.separated.map { problem in
            Record(
                kind, .err, generation: generation, "\(problem)",
                [.error: problem.list.first.map { "\($0)" }, .errorType: "Diagnostic"])
        }
    }
}
