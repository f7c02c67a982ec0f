/// An expression failed while it ran, or a text was no JSON.
package struct JQError: Error, Sendable, Hashable {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}

extension JQError: CustomStringConvertible {
    package var description: String { message }
}
