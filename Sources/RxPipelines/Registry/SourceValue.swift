import RxJSON

/// A value that a source emits.
package struct SourceValue: Sendable {
    package let value: JSON
    /// The position from which the source resumes after this value; `nil` if it cannot resume.
    package let position: JSON?
    /// The name of the value, which is the same in every process, see ``EventName``.
    ///
    /// `nil` if the source never emits a value again.
    package let name: String?
    /// An object that is released when the value has become an event or part of another value, for a source that counts
    /// its pending values.
    let slot: (any AnyObject & Sendable)?

    package init(
        _ value: JSON, position: JSON? = nil, name: String? = nil, slot: (any AnyObject & Sendable)? = nil
    ) {
        self.slot = slot
        self.value = value
        self.position = position
        self.name = name
    }
}
