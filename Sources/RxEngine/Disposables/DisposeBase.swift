// Unchecked: has no mutable state; its subclasses guard their own.
/// A base class whose live objects are counted as disposables.
public class DisposeBase: @unchecked Sendable {
    private let ticket = ResourceTicket(.disposable)

    init() {}
}
