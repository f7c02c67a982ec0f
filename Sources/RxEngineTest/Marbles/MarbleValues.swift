/// The values that the characters of a marble diagram stand for.
///
/// A dictionary literal names each value: `["a": 10, "b": 20]`. With ``digits`` and ``names``, characters stand for
/// themselves.
public struct MarbleValues<Element>: ExpressibleByDictionaryLiteral {
    /// The named values, in their order.
    let named: [(name: Character, value: Element)]
    private let other: (Character) -> Element?

    /// Makes values that are computed from their names.
    ///
    /// - Parameter value: returns the value, or `nil` if there is none of this name.
    public init(computed value: @escaping (_ name: Character) -> Element?) {
        named = []
        other = value
    }

    /// Makes named values.
    public init(_ values: [Character: Element]) {
        named = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        other = { _ in nil }
    }

    /// Makes named values. If a name occurs twice, the first value counts.
    public init(dictionaryLiteral elements: (Character, Element)...) {
        named = elements.map { ($0, $1) }
        other = { _ in nil }
    }

    /// The value of this name, or `nil` if there is none.
    ///
    /// - Complexity: O(*n*) for *n* named values.
    public subscript(name: Character) -> Element? {
        named.first { $0.name == name }?.value ?? other(name)
    }
}

extension MarbleValues<Int> {
    /// The digits `0` to `9` stand for themselves.
    public static var digits: Self { Self(computed: \.wholeNumberValue) }
}

extension MarbleValues<String> {
    /// Each character stands for the string of that character.
    public static var names: Self { Self(computed: { String($0) }) }
}
