/// Something that can be given up: a subscription, a timer, a resource.
@preconcurrency
public protocol Disposable: Sendable {
    /// Gives it up. May be called from any thread, any number of times; only the first call acts.
    func dispose()
}

/// A disposable that can tell whether it was disposed.
@preconcurrency
public protocol Cancelable: Disposable {
    /// Whether ``Disposable/dispose()`` was called.
    var isDisposed: Bool { get }
}

extension Disposable {
    /// Leaves the disposable to `bag`, which disposes it when it goes.
    public func disposed(by bag: DisposeBag) {
        bag.insert(self)
    }
}
