/// An observer that sets something of an object, which it does not keep alive.
///
///     let title = Binder(window) { window, title in window.title = title }
///     titles.bind(to: title)
///
/// An element that comes after the object is gone is dropped. An error stops a debug build and is printed by a release
/// build; the end is ignored.
public struct Binder<Value>: ObserverType, Sendable {
    @usableFromInline let receive: @Sendable (Value) -> Void

    /// A binding that runs on the main thread, at once if it is there and nothing waits before it. The closure may
    /// touch what is isolated to the main actor.
    ///
    /// - Parameters:
    ///   - target: what is bound to.
    ///   - binding: sets something of the target.
    @preconcurrency
    public init<Target: AnyObject>(
        _ target: Target, binding: @escaping @MainActor @Sendable (Target, Value) -> Void
    ) {
        self.init(target, scheduler: MainScheduler()) { target, value in
            // Unsafe: they stay on this thread.
            nonisolated(unsafe) let (target, value) = (target, value)
            MainActor.assumeIsolated { binding(target, value) }
        }
    }

    /// A binding that runs on `scheduler`.
    ///
    /// - Parameters:
    ///   - target: what is bound to.
    ///   - scheduler: where `binding` runs.
    ///   - binding: sets something of the target.
    @preconcurrency
    public init<Target: AnyObject>(
        _ target: Target, scheduler: any ImmediateSchedulerType,
        binding: @escaping @Sendable (Target, Value) -> Void
    ) {
        let target = WeakObject(target)
        receive = { value in
            _ = scheduler.schedule(value) { value in
                if let target = target.value { binding(target, value) }
                return Disposables.create()
            }
        }
    }

    /// Binds an element.
    @inlinable
    public func on(_ event: Event<Value>) {
        switch event {
        case .next(let value): receive(value)
        case .error(let error): bindingError(error)
        case .completed: break
        }
    }

    /// The binder with its type erased.
    public func asObserver() -> AnyObserver<Value> {
        AnyObserver(eventHandler: on)
    }
}
