import RxJSON

/// A value that a source emits.
package struct SourceValue: Sendable {
    package let value: JSON
    /// Where the source resumes after this value; `nil` if it cannot resume.
    package let position: JSON?
    /// Identifies the value in any process, see ``EventName``; `nil` if the source never emits a value again.
    package let name: String?

    package init(_ value: JSON, position: JSON? = nil, name: String? = nil) {
        self.value = value
        self.position = position
        self.name = name
    }
}
