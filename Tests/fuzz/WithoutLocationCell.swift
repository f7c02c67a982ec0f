import RxDiagnostics

/// In place of the cell that locks: nothing runs here, and nobody asks.
final class SourceLocationCell: Sendable {
    init(_ location: SourceLocation) {}
}
