extension ObservableType {
    /// An observable that needs a resource: each subscription has one of its own, which is disposed after it.
    ///
    ///     using { r } observableFactory: { r in a }     what a does, then r is disposed
    ///
    /// An error thrown by either closure ends the sequence; the resource that was made by then is disposed.
    @preconcurrency
    @inlinable
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        observableFactory: @escaping @Sendable (Resource) throws -> Observable<Element>
    ) -> Observable<Element> {
        .handingSinkOn(.using) { sink in
            let resource: Resource
            let source: Observable<Element>
            do {
                resource = try resourceFactory()
            } catch {
                if sink.live.isActive { sink.error(error) }
                return Disposables.create()
            }
            do {
                source = try observableFactory(resource)
            } catch {
                if sink.live.isActive { sink.error(error) }
                return resource
            }
            return sink.live.isActive ? Disposables.create(source.runLast(sink), resource) : resource
        }
    }
}
