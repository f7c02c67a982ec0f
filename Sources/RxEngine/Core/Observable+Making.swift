extension Observable {
    /// Creates an observable whose runs `body` starts.
    ///
    /// Operators are made of this and ``lift(_:_:)``. `body` runs on the subscribing thread. It, and what it starts,
    /// call the sink by the grammar of ``Event``, on any thread but never two calls at once, and may stop as soon as
    /// the sink's ``LiveSubscription/isActive`` is false.
    ///
    /// - Parameters:
    ///   - operation: the operator that ``Resources`` counts the observable as.
    ///   - onTrampoline: see ``Observable/startsOnTrampoline``.
    ///   - body: starts a run into the sink and returns the disposable that stops it.
    /// - Returns: the observable.
    @inlinable
    public static func source(
        _ operation: Operator = .custom, onTrampoline: Bool = true,
        _ body: @escaping (Sink<Element>) -> any Disposable
    ) -> Observable<Element> {
        SourceObservable(operation, onTrampoline: onTrampoline, body)
    }

    /// Creates an observable whose `body` ends in a tail run: its last use of the sink is to call
    /// ``Observable/tailRun(_:)`` of another observable with it.
    @usableFromInline
    static func endingInTailRun(
        _ operation: Operator, _ body: @escaping (Sink<Element>) -> any Disposable
    ) -> Observable<Element> {
        SourceObservable(operation, onTrampoline: true, endsInTailRun: true, body)
    }

    /// Returns an observable that runs this one into a sink made by `makeSink`.
    ///
    /// This is how an operator is made that has one source.
    /// `makeSink` runs on the subscribing thread, and its sink is called on the threads of this observable.
    ///
    /// - Parameters:
    ///   - operation: the operator that ``Resources`` counts the observable as.
    ///   - makeSink: makes the operator's sink in front of the downstream sink, for each run.
    /// - Returns: the observable.
    @inlinable
    public func lift<Result>(
        _ operation: Operator = .custom, _ makeSink: @escaping (Sink<Result>) -> Sink<Element>
    ) -> Observable<Result> {
        LiftedObservable(operation, self, makeSink) { $0($1) }
    }

    /// Returns an observable that runs this one into a sink that `makeSink` makes from `parameters`.
    ///
    /// If `makeSink` captures nothing, the observable is one object.
    /// `makeSink` runs on the subscribing thread, and its sink is called on the threads of this observable.
    ///
    /// - Parameters:
    ///   - operation: the operator that ``Resources`` counts the observable as.
    ///   - parameters: the operator's parameters.
    ///   - makeSink: makes the operator's sink in front of the downstream sink, for each run.
    /// - Returns: the observable.
    @inlinable
    public func lift<Parameters, Result>(
        _ operation: Operator = .custom, with parameters: Parameters,
        _ makeSink: @escaping (Parameters, Sink<Result>) -> Sink<Element>
    ) -> Observable<Result> {
        LiftedObservable(operation, self, parameters, makeSink)
    }
}

// Unchecked: immutable until it is deinitialized; an operator made the closure, and its closures are `@Sendable`.
/// An observable whose runs a closure starts.
@usableFromInline
final class SourceObservable<Element>: Observable<Element>, @unchecked Sendable {
    private let onTrampoline: Bool
    private let hasTailRun: Bool
    /// Starts a run. `nil` only during deinitialization.
    @exclusivity(unchecked) private var body: ((Sink<Element>) -> any Disposable)?

    @usableFromInline
    init(
        _ operation: Operator, onTrampoline: Bool, endsInTailRun: Bool = false,
        _ body: @escaping (Sink<Element>) -> any Disposable
    ) {
        self.onTrampoline = onTrampoline
        hasTailRun = endsInTailRun
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

    @usableFromInline
    override var startsOnTrampoline: Bool { onTrampoline }

    override var endsInTailRun: Bool { hasTailRun }

    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        if DiagnosticSwitches.isOn(DiagnosticSwitches.records) { noteSource(of: sink) }
        guard let body else { preconditionFailure("an observable was subscribed to during its deinitialization") }
        return body(sink)
    }
}

// Unchecked: immutable; an operator made the parameters, and its closures are `@Sendable`.
/// An observable that runs its upstream into an operator's sink.
@usableFromInline
final class LiftedObservable<Element, Result, Parameters>: Observable<Result>, @unchecked Sendable {
    private let upstream: Upstream
    private let parameters: Parameters
    private let makeSink: (Parameters, Sink<Result>) -> Sink<Element>

    @usableFromInline
    init(
        _ operation: Operator, _ upstream: Observable<Element>, _ parameters: Parameters,
        _ makeSink: @escaping (Parameters, Sink<Result>) -> Sink<Element>
    ) {
        self.upstream = Upstream(upstream)
        self.parameters = parameters
        self.makeSink = makeSink
        super.init(operation)
    }

    @usableFromInline
    override func run(_ sink: Sink<Result>) -> any Disposable {
        upstream.with { $0.run(makeSink(parameters, sink)) }
    }

    override var depth: UInt32 { upstream.depth }
}
