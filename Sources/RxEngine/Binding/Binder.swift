/// An observer that sets a property of an object, which it does not retain.
///
///     let title = Binder(window) { window, title in window.title = title }
///     titles.bind(to: title)
///
/// Elements that arrive after the object was deallocated are dropped. Completion is ignored. An error stops a debug
/// build, and a release build prints it.
public struct Binder<Value>: ObserverType, Sendable {
    @usableFromInline let receive: @Sendable (Value) -> Void

    /// Makes a binder that calls `binding` on the main thread.
    ///
    /// On the main thread an element is bound at once, unless earlier ones are queued. `binding` may access state that
    /// is isolated to the main actor.
    ///
    /// - Parameters:
    ///   - target: the object to bind to.
    ///   - binding: sets a property of the target.
    @preconcurrency
    public init<Target: AnyObject>(
        _ target: Target, binding: @escaping @MainActor @Sendable (Target, Value) -> Void
    ) {
        self.init(target, scheduler: MainScheduler()) { target, value in
            // Safe although marked unsafe: they stay on this thread.
            nonisolated(unsafe) let (target, value) = (target, value)
            MainActor.assumeIsolated { binding(target, value) }
        }
    }

    /// Makes a binder that calls `binding` on `scheduler`.
    ///
    /// - Parameters:
    ///   - target: the object to bind to.
    ///   - scheduler: calls `binding`.
    ///   - binding: sets a property of the target.
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

    /// Schedules the binding of an element, ignores completion, and reports an error.
    ///
    /// The binding runs on the binder's scheduler, and an error is reported on this thread.
    @inlinable
    public func on(_ event: Event<Value>) {
        switch event {
        case .next(let value): receive(value)
        case .error(let error): bindingError(error)
        case .completed: break
        }
    }

    /// Converts the binder to an observer without its type.
    public func asObserver() -> AnyObserver<Value> {
        AnyObserver(eventHandler: on)
    }
}
