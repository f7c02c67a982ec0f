extension WeakObject {
    /// `handler` with the object as its first argument.
    func handing<Argument>(to handler: (@Sendable (Object, Argument) -> Void)?) -> (@Sendable (Argument) -> Void)? {
        guard let handler else { return nil }
        return { [self] argument in
            if let object = value { handler(object, argument) }
        }
    }

    /// `handler` with the object as its argument.
    func handing(to handler: (@Sendable (Object) -> Void)?) -> (@Sendable () -> Void)? {
        guard let handler else { return nil }
        return { [self] in
            if let object = value { handler(object) }
        }
    }
}
