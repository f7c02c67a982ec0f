/// What closures of ``Driver`` and ``Signal`` become: their sequences are delivered on the main scheduler, which the
/// compiler cannot know.
///
/// Off the main thread they trap, except where ``SharingScheduler`` was mocked when they were subscribed: virtual time
/// runs wherever its test does, and takes the place of the main thread.
struct OnMainActor {
    private let isMocked = SharingScheduler.isMocked

    func callAsFunction<Value>(
        _ body: (@MainActor @Sendable (Value) -> Void)?
    ) -> (@Sendable (Value) -> Void)? {
        guard let body else { return nil }
        // The isolation is no part of how a synchronous closure is called.
        if isMocked { return unsafeBitCast(body, to: (@Sendable (Value) -> Void).self) }
        return { value in
            // Unsafe: it stays on this thread.
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
