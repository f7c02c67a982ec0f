import RxEngine

/// The disposable that does nothing.
public enum NopDisposable {
    /// The one instance.
    public static var instance: any Disposable { Disposables.create() }
}

/// A disposable that calls a closure once.
public final class AnonymousDisposable: Disposable {
    private let inner: any Cancelable

    /// Makes a disposable that calls `disposeAction`.
    @preconcurrency
    public init(_ disposeAction: @escaping @Sendable () -> Void) {
        inner = Disposables.create(with: disposeAction)
    }

    /// Whether the disposable was disposed.
    public var disposed: Bool { inner.isDisposed }

    /// Calls the closure, the first time.
    public func dispose() { inner.dispose() }
}

/// A disposable that is disposed when the last reference to it is released.
public final class ScopedDisposable: Disposable {
    private let inner: any Disposable

    /// Makes a disposable that disposes `disposable`.
    public init(disposable: any Disposable) {
        inner = disposable
    }

    deinit { inner.dispose() }

    /// Disposes it at once.
    public func dispose() { inner.dispose() }
}

extension Disposable {
    /// Returns a disposable that disposes this one when the scope that holds it is left.
    public func scopedDispose() -> ScopedDisposable { ScopedDisposable(disposable: self) }

    /// Adds this disposable to a bag: the former name of `disposed(by:)`.
    public func addDisposableTo(_ bag: DisposeBag) { disposed(by: bag) }
}

extension Cancelable {
    /// Whether the disposable was disposed: the former name of `isDisposed`.
    public var disposed: Bool { isDisposed }
}

extension DisposeBag {
    /// Adds a member: the former name of `insert(_:)`.
    public func addDisposable(_ disposable: any Disposable) { insert(disposable) }
}

extension CompositeDisposable {
    /// Adds a member: the former name of `insert(_:)`.
    @discardableResult
    public func addDisposable(_ disposable: any Disposable) -> DisposeKey? { insert(disposable) }

    /// Removes a member and disposes it: the former name of `remove(for:)`.
    public func removeDisposable(_ key: DisposeKey) { remove(for: key) }
}
