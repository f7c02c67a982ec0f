extension ObservableType {
    /// Makes an observable that holds a resource, one for each subscription, and disposes it after the subscription.
    ///
    ///     a                                               --1--2--|
    ///     using { r } observableFactory: { r in a }       --1--2--|       then disposes r
    ///
    /// Completes and fails with the observable that `observableFactory` returns. Fails with the error that a closure
    /// throws, and then disposes the resource if it was made. The resource is disposed after the observable, when the
    /// sequence has ended or was disposed.
    /// The closures run on the subscribing thread; events arrive on the threads of the observable.
    ///
    /// - Parameters:
    ///   - resourceFactory: makes the resource.
    ///   - observableFactory: makes the observable of the resource.
    @preconcurrency
    @inlinable
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        observableFactory: @escaping @Sendable (Resource) throws -> Observable<Element>
    ) -> Observable<Element> {
        .endingInTailRun(.using) { sink in
            let resource: Resource
            let source: Observable<Element>
            do {
                resource = try resourceFactory()
            } catch {
                if sink.live.isActive { sink.error(Hooks.thrown(error, in: .using)) }
                return Disposables.create()
            }
            do {
                source = try observableFactory(resource)
            } catch {
                if sink.live.isActive { sink.error(Hooks.thrown(error, in: .using)) }
                return resource
            }
            return sink.live.isActive ? Disposables.create(source.tailRun(sink), resource) : resource
        }
    }
}
