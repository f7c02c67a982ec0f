import RxEngine

// Unchecked: the subject synchronizes all access.
/// A value that can be set and observed, and whose sequence completes when the variable is deallocated.
///
/// ``RxEngine/BehaviorRelay`` replaces it; its sequence never ends.
public final class Variable<Element>: ObservableType, @unchecked Sendable {
    private let subject: BehaviorSubject<Element>

    /// Makes a variable with its first value.
    public init(_ value: Element) {
        subject = BehaviorSubject(value: value)
    }

    deinit { subject.onCompleted() }

    /// The current value. Setting it emits it, on this thread.
    public var value: Element {
        get {
            // A behavior subject has a value unless it has failed or was disposed, which nobody can do here.
            do { return try subject.value() } catch { preconditionFailure("\(error)") }
        }
        set { subject.onNext(newValue) }
    }

    /// Subscribes an observer to ``asObservable()``.
    public func subscribe(_ observer: some ObserverType<Element>) -> any Disposable {
        subject.subscribe(observer)
    }

    /// The current value, and then each value that is set.
    ///
    /// Never fails, and completes when the variable is deallocated. The observer is called on the thread that sets the
    /// value.
    public func asObservable() -> Observable<Element> { subject.asObservable() }
}

extension ObservableType {
    /// Subscribes an observer: the former name of `bind(to:)`. Dropping the returned disposable cancels nothing.
    @discardableResult
    public func bindTo(_ observer: some ObserverType<Element>) -> any Disposable { bind(to: observer) }

    /// Sets a variable to each element. Dropping the returned disposable cancels nothing.
    ///
    /// It is set on the source's thread. An error stops a debug build; in a release build it is ignored.
    @discardableResult
    public func bindTo(_ variable: Variable<Element>) -> any Disposable {
        // Safe although marked unsafe: the variable may be set on any thread.
        subscribe(onNext: { variable.value = $0 }, onError: { bindingFailed($0) })
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Sets a variable to each element. Dropping the returned disposable cancels nothing.
    @discardableResult
    public func drive(_ variable: Variable<Element>) -> any Disposable {
        drive(onNext: { variable.value = $0 })
    }
}

private func bindingFailed(_ error: any Error) {
    assertionFailure("a sequence that is bound to a variable has failed: \(error)")
}
