extension WeakObject {
    /// Returns a closure that calls `handler` with the object as its first argument while the object exists.
    func passed<Argument>(to handler: (@Sendable (Object, Argument) -> Void)?) -> (@Sendable (Argument) -> Void)? {
        guard let handler else { return nil }
        return { [self] argument in
            if let object = value { handler(object, argument) }
        }
    }

    /// Returns a closure that calls `handler` with the object while the object exists.
    func passed(to handler: (@Sendable (Object) -> Void)?) -> (@Sendable () -> Void)? {
        guard let handler else { return nil }
        return { [self] in
            if let object = value { handler(object) }
        }
    }
}
