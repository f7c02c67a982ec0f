/// How the events of both sides of an ``OperatorLaw`` are compared.
public enum LawOrder: Sendable {
    /// Equal events at equal times, in the same order.
    case exact
    /// Equal events at equal times, in any order within an instant.
    case anyWithinInstant
}
