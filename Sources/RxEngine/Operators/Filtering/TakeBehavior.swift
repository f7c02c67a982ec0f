/// Whether the element that ends a `take(while:)` or `take(until:)` is let through.
public enum TakeBehavior: Sendable {
    /// It is let through, then the sequence ends.
    case inclusive
    /// The sequence ends without it.
    case exclusive
}
