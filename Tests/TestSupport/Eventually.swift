import Testing

/// Waits until `condition` holds, and records an issue if it does not within the deadline.
package func eventually(
    _ what: @autoclosure () -> String, within deadline: Duration = .seconds(10),
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () throws -> Bool
) async throws {
    let end = ContinuousClock.now + deadline
    while try !condition() {
        if ContinuousClock.now > end {
            Issue.record("not within \(deadline): \(what())", sourceLocation: sourceLocation)
            return
        }
        await Task.yield()
    }
}
