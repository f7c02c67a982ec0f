import RxDiagnostics

/// Replaces the locked cell: nothing runs here, and nothing reads it.
final class SourceLocationCell: Sendable {
    init(_ location: SourceLocation) {}
}
