/// A resource that can be released: a subscription, a timer, a file.
@preconcurrency
public protocol Disposable: Sendable {
    /// Releases the resource.
    ///
    /// May be called from any thread and any number of times; only the first call has an effect.
    func dispose()
}

/// A disposable that knows whether it was disposed.
@preconcurrency
public protocol Cancelable: Disposable {
    /// Whether ``Disposable/dispose()`` was called.
    var isDisposed: Bool { get }
}

extension Disposable {
    /// Adds the disposable to `bag`, which disposes it when the bag is deallocated.
    public func disposed(by bag: DisposeBag) {
        bag.insert(self)
    }
}
