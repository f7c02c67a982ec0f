extension Observable {
    /// An observable whose every run is started by `body`, which returns what stops it.
    ///
    /// This and ``lift(_:_:)`` are how operators are made. `body` calls its sink by the grammar of ``Event``, never two
    /// calls at once, and may stop as soon as the sink's ``LiveSubscription/isActive`` is false.
    ///
    /// - Parameters:
    ///   - operation: what the observable is counted as.
    ///   - onTrampoline: see ``Observable/startsOnTrampoline``.
    ///   - body: starts a run into the sink that it is given.
    @inlinable
    public static func source(
        _ operation: Operator = .custom, onTrampoline: Bool = true,
        _ body: @escaping (Sink<Element>) -> any Disposable
    ) -> Observable<Element> {
        SourceObservable(operation, onTrampoline: onTrampoline, body)
    }

    /// The same, where the last thing that `body` does with its sink is ``Observable/runLast(_:)`` of another
    /// observable.
    @usableFromInline
    static func handingSinkOn(
        _ operation: Operator, _ body: @escaping (Sink<Element>) -> any Disposable
    ) -> Observable<Element> {
        SourceObservable(operation, onTrampoline: true, handsSinkOn: true, body)
    }

    /// An observable that runs this one into the sink that `makeSink` puts in front of the observer's.
    @inlinable
    public func lift<Result>(
        _ operation: Operator = .custom, _ makeSink: @escaping (Sink<Result>) -> Sink<Element>
    ) -> Observable<Result> {
        LiftedObservable(operation, self, makeSink) { $0($1) }
    }

    /// An observable that runs this one into the sink that `makeSink` makes of `parameters` to put in front of the
    /// observer's. With a `makeSink` that captures nothing, the observable is one object.
    @inlinable
    public func lift<Parameters, Result>(
        _ operation: Operator = .custom, with parameters: Parameters,
        _ makeSink: @escaping (Parameters, Sink<Result>) -> Sink<Element>
    ) -> Observable<Result> {
        LiftedObservable(operation, self, parameters, makeSink)
    }
}

// Unchecked: immutable until it goes; the closure is an operator's, whose own closures are `@Sendable`.
@usableFromInline
final class SourceObservable<Element>: Observable<Element>, @unchecked Sendable {
    private let onTrampoline: Bool
    private let isHandingOn: Bool
    /// There until the end, which takes it.
    @exclusivity(unchecked) private var body: ((Sink<Element>) -> any Disposable)?

    @usableFromInline
    init(
        _ operation: Operator, onTrampoline: Bool, handsSinkOn: Bool = false,
        _ body: @escaping (Sink<Element>) -> any Disposable
    ) {
        self.onTrampoline = onTrampoline
        isHandingOn = handsSinkOn
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

    @usableFromInline
    override var startsOnTrampoline: Bool { onTrampoline }

    override var handsSinkOn: Bool { isHandingOn }

    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        guard let body else { preconditionFailure("an observable that has gone was subscribed to") }
        return body(sink)
    }
}

// Unchecked: immutable; the parameters are an operator's, whose closures are `@Sendable`.
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
