// Unchecked: holds nothing that changes; its subclasses answer for themselves.
/// A class whose live objects are counted among the disposables.
public class DisposeBase: @unchecked Sendable {
    private let ticket = ResourceTicket(.disposable)

    init() {}
}
