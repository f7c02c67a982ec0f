import Testing

/// Waits until `condition` holds, and records an issue if it does not within the deadline.
package func eventually(
    _ what: @autoclosure () -> String, within deadline: Duration = .seconds(10),
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () throws -> Bool
) async throws {
    let end = ContinuousClock.now + deadline
    // The first checks follow each other at once. Later ones leave the core to what is waited for.
    var checks = 0
    while try !condition() {
        if ContinuousClock.now > end {
            Issue.record("not within \(deadline): \(what())", sourceLocation: sourceLocation)
            return
        }
        checks += 1
        if checks < 50 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(1)) }
    }
}
