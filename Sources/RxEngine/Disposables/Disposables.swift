/// Makes disposables.
public enum Disposables {
    /// A disposable with nothing to give up.
    public static func create() -> any Disposable {
        NopDisposable()
    }

    /// A disposable that runs `action` once and then lets it go.
    @preconcurrency
    public static func create(with action: @escaping @Sendable () -> Void) -> any Cancelable {
        AnonymousDisposable(action)
    }

    /// A disposable that disposes both of these, in this order.
    public static func create(_ first: any Disposable, _ second: any Disposable) -> any Cancelable {
        CompositeDisposable(first, second)
    }

    /// A disposable that disposes all of these, in this order.
    public static func create(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable
    ) -> any Cancelable {
        CompositeDisposable(first, second, third)
    }

    /// A disposable that disposes all of these, in this order.
    public static func create(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable, _ more: any Disposable...
    ) -> any Cancelable {
        CompositeDisposable(disposables: [first, second, third] + more)
    }

    /// A disposable that disposes all of these, in this order.
    public static func create(_ disposables: [any Disposable]) -> any Cancelable {
        CompositeDisposable(disposables: disposables)
    }
}

/// Nothing to give up.
struct NopDisposable: Disposable {
    func dispose() {}
}
