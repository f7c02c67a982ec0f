import TestSupport
import Testing

/// The issues that `body` records, each as its line and its comment.
func recordedIssues(_ body: () -> Void) -> [(line: Int?, text: String)] {
    let log = Cell<[(line: Int?, text: String)]>([])
    withKnownIssue(isIntermittent: true) {
        body()
    } matching: { issue in
        let text = issue.comments.map(\.rawValue).joined(separator: "\n")
        log.append((issue.sourceLocation?.line, text))
        return true
    }
    return log.value
}
