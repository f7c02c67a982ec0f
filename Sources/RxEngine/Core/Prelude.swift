// Unchecked: immutable until it goes; the closure is an operator's, whose own closures are `@Sendable`.
/// An observable that does something first, and in whose place another of its type runs then.
///
/// Such observables lead to one another, often without end: a sequence of pages is one page and then, deferred, the
/// pages after it. What follows is therefore started in a loop and not from inside what came before it, and takes no
/// stack.
@usableFromInline
final class Prelude<Element>: Observable<Element>, @unchecked Sendable {
    /// There until the end, which takes it.
    @exclusivity(unchecked) private var body: ((Sink<Element>) -> Observable<Element>?)?

    /// - Parameter body: emits the first elements to the sink and returns what follows; `nil` if nothing does, because
    ///   the sink has received the end or is disposed.
    @usableFromInline
    init(_ operation: Operator, _ body: @escaping (Sink<Element>) -> Observable<Element>?) {
        self.body = body
        super.init(operation)
    }

    deinit {
        LettingGo.leave {
            body = nil
        } orKeepIn: {
            let held = body.take()
            return { withExtendedLifetime(held) {} }
        }
    }

    override var handsSinkOn: Bool { true }

    override func play(to sink: Sink<Element>, _ next: inout AnyObject?) -> Bool {
        guard let body else { preconditionFailure("an observable that has gone was subscribed to") }
        next = body(sink)
        return true
    }

    // Any object stands for an observable of the same element: looking types up would cost more than all this.
    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        var source: AnyObject = self
        var next: AnyObject?
        while unsafeDowncast(source, to: Observable<Element>.self).play(to: sink, &next) {
            guard let following = next else { return Disposables.create() }
            source = following
            next = nil
        }
        return unsafeDowncast(source, to: Observable<Element>.self).runLast(sink)
    }
}

extension Observable {
    /// What an operator that makes a sequence of each element comes to where there is one element only: that sequence.
    ///
    /// - Parameters:
    ///   - upstream: a source that is one element (``Observable/isOnly``).
    ///   - select: makes the sequence.
    @usableFromInline
    static func following<Input>(
        _ operation: Operator, _ upstream: Observable<Input>, _ select: @escaping (Input) throws -> Observable<Element>
    ) -> Observable<Element> {
        Prelude(operation) { sink in
            withUnsafeTemporaryAllocation(of: Input.self, capacity: 1) { memory in
                do {
                    if let memory = memory.baseAddress, try upstream.only(into: memory, for: sink.live) {
                        defer { memory.deinitialize(count: 1) }
                        let source = try select(memory.pointee)
                        return sink.live.isActive ? source : nil
                    }
                    if sink.live.isActive { sink.completed() }
                } catch {
                    if sink.live.isActive { sink.error(error) }
                }
                return nil
            }
        }
    }
}
