// In place of the expressions' own types: what is fuzzed with these compiles none.

package struct JQLibrary {
    package init() {}
}

package final class JQBatch {
    package init(_ library: JQLibrary) {}
}

/// Where something stands that runs; here nothing does, and nobody asks.
final class SourceLocationCell: Sendable {
    init(_ location: SourceLocation) {}
}
