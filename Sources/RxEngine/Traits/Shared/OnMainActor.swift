/// Converts the `@MainActor` closures of ``Driver`` and ``Signal`` to plain ones.
///
/// The main scheduler calls the closures, which the compiler cannot know. The plain closures trap off the main thread,
/// unless ``SharingScheduler`` was mocked when they were subscribed: virtual time runs on its test's thread,
/// which stands in for the main thread.
struct OnMainActor {
    private let isMocked = SharingScheduler.isMocked

    func callAsFunction<Value>(
        _ body: (@MainActor @Sendable (Value) -> Void)?
    ) -> (@Sendable (Value) -> Void)? {
        guard let body else { return nil }
        // Sound because isolation does not change the calling convention of a synchronous closure.
        if isMocked { return unsafeBitCast(body, to: (@Sendable (Value) -> Void).self) }
        return { value in
            // Safe although marked unsafe: the value stays on this thread.
            nonisolated(unsafe) let value = value
            MainActor.assumeIsolated { body(value) }
        }
    }

    func callAsFunction(_ body: (@MainActor @Sendable () -> Void)?) -> (@Sendable () -> Void)? {
        guard let body else { return nil }
        if isMocked { return unsafeBitCast(body, to: (@Sendable () -> Void).self) }
        return { MainActor.assumeIsolated(body) }
    }

    func callAsFunction<Object, Value>(
        _ object: WeakObject<Object>, _ body: (@MainActor @Sendable (Object, Value) -> Void)?
    ) -> (@Sendable (Value) -> Void)? {
        guard let body else { return nil }
        return self { value in
            if let object = object.value { body(object, value) }
        }
    }

    func callAsFunction<Object>(
        _ object: WeakObject<Object>, _ body: (@MainActor @Sendable (Object) -> Void)?
    ) -> (@Sendable () -> Void)? {
        guard let body else { return nil }
        return self {
            if let object = object.value { body(object) }
        }
    }
}
