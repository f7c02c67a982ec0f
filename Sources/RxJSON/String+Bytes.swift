extension String {
    /// Whether the texts have the same bytes. As strings, texts that are canonically equivalent are equal.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
