/// Functions that make disposables.
public enum Disposables {
    /// Makes a disposable that does nothing.
    public static func create() -> any Disposable {
        NopDisposable()
    }

    /// Makes a disposable that runs `action` once, on the thread that disposes it, and then releases it.
    @preconcurrency
    public static func create(with action: @escaping @Sendable () -> Void) -> any Cancelable {
        AnonymousDisposable(action)
    }

    /// Makes a disposable that disposes both of these, in this order.
    public static func create(_ first: any Disposable, _ second: any Disposable) -> any Cancelable {
        CompositeDisposable(first, second)
    }

    /// Makes a disposable that disposes all of these, in this order.
    public static func create(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable
    ) -> any Cancelable {
        CompositeDisposable(first, second, third)
    }

    /// Makes a disposable that disposes all of these, in this order.
    public static func create(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable, _ more: any Disposable...
    ) -> any Cancelable {
        CompositeDisposable(disposables: [first, second, third] + more)
    }

    /// Makes a disposable that disposes all of these, in this order.
    public static func create(_ disposables: [any Disposable]) -> any Cancelable {
        CompositeDisposable(disposables: disposables)
    }
}

/// A disposable that does nothing.
struct NopDisposable: Disposable {
    func dispose() {}
}
