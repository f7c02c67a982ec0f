// Unchecked: immutable until it is deinitialized; an operator made the closure, and its closures are `@Sendable`.
/// An observable that runs a closure first, and then another observable of its type in its own place.
///
/// Redirects lead to one another, often without end: a sequence of pages is one page and then, deferred, the pages
/// after it. So a loop starts the next observable, outside the closure of the one before, and the chain takes no stack.
@usableFromInline
final class Redirect<Element>: Observable<Element>, @unchecked Sendable {
    /// Emits the first elements and returns the next observable. `nil` only during deinitialization.
    @exclusivity(unchecked) private var body: ((Sink<Element>) -> Observable<Element>?)?

    /// - Parameters:
    ///   - operation: the operator that ``Resources`` counts the observable as.
    ///   - body: emits the first elements to the sink and returns the observable that follows, or `nil` if the sink has
    ///     received the end or is disposed.
    @usableFromInline
    init(_ operation: Operator, _ body: @escaping (Sink<Element>) -> Observable<Element>?) {
        self.body = body
        super.init(operation)
    }

    deinit {
        DeferredRelease.release {
            body = nil
        } orDefer: {
            let held = body.take()
            return { withExtendedLifetime(held) {} }
        }
    }

    override var endsInTailRun: Bool { true }

    override func redirect(_ sink: Sink<Element>, to next: inout AnyObject?) -> Bool {
        guard let body else { preconditionFailure("an observable was subscribed to during its deinitialization") }
        next = body(sink)
        return true
    }

    // `AnyObject` stands for an observable of the same element type: looking the type up would cost more than the loop.
    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        var source: AnyObject = self
        var next: AnyObject?
        while unsafeDowncast(source, to: Observable<Element>.self).redirect(sink, to: &next) {
            guard let following = next else { return Disposables.create() }
            source = following
            next = nil
        }
        return unsafeDowncast(source, to: Observable<Element>.self).tailRun(sink)
    }
}

extension Observable {
    /// Returns a redirect to the sequence that `select` makes from the one element of `upstream`.
    ///
    /// Operators that make a sequence from each element use it if their source has one element only.
    ///
    /// - Parameters:
    ///   - operation: the operator that ``Resources`` counts the observable as.
    ///   - upstream: a scalar source (``Observable/isScalar``).
    ///   - select: makes the sequence.
    /// - Returns: the redirect.
    @usableFromInline
    static func redirecting<Input>(
        _ operation: Operator, _ upstream: Observable<Input>, _ select: @escaping (Input) throws -> Observable<Element>
    ) -> Observable<Element> {
        Redirect(operation) { sink in
            withUnsafeTemporaryAllocation(of: Input.self, capacity: 1) { memory in
                do {
                    if let memory = memory.baseAddress, try upstream.scalar(into: memory, for: sink.live) {
                        defer { memory.deinitialize(count: 1) }
                        let source = try select(memory.pointee)
                        return sink.live.isActive ? source : nil
                    }
                    if sink.live.isActive { sink.completed() }
                } catch {
                    if sink.live.isActive { sink.error(Hooks.thrown(error, in: operation)) }
                }
                return nil
            }
        }
    }
}
