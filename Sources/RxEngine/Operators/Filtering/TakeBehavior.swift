/// Whether `take(while:)` and `take(until:)` emit the element that ends the sequence.
public enum TakeBehavior: Sendable {
    /// Emits the element, then completes.
    case inclusive
    /// Completes without the element.
    case exclusive
}
