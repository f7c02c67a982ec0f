extension Observable {
    /// An observable whose every run is started by `body`, which returns what stops it.
    ///
    /// This and ``lift(_:)`` are how operators are made. `body` calls its sink by the grammar of ``Event``, never two
    /// calls at once, and may stop as soon as the sink's ``LiveSubscription/isActive`` is false.
    ///
    /// - Parameters:
    ///   - onTrampoline: see ``Observable/startsOnTrampoline``.
    ///   - body: starts a run into the sink that it is given.
    public static func source(
        onTrampoline: Bool = true, _ body: @escaping (Sink<Element>) -> any Disposable
    ) -> Observable<Element> {
        SourceObservable(onTrampoline: onTrampoline, body)
    }

    /// An observable that runs this one into the sink that `makeSink` puts in front of the observer's.
    public func lift<Result>(_ makeSink: @escaping (Sink<Result>) -> Sink<Element>) -> Observable<Result> {
        LiftedObservable(self, makeSink)
    }
}

// Unchecked: immutable; the closure is `create`'s or an operator's, whose own closures are `@Sendable`.
private final class SourceObservable<Element>: Observable<Element>, @unchecked Sendable {
    private let onTrampoline: Bool
    private let body: (Sink<Element>) -> any Disposable

    init(onTrampoline: Bool, _ body: @escaping (Sink<Element>) -> any Disposable) {
        self.onTrampoline = onTrampoline
        self.body = body
    }

    override var startsOnTrampoline: Bool { onTrampoline }

    override func run(_ sink: Sink<Element>) -> any Disposable {
        body(sink)
    }
}

// Unchecked: immutable; the closure is an operator's, whose own closures are `@Sendable`.
private final class LiftedObservable<Element, Result>: Observable<Result>, @unchecked Sendable {
    private let upstream: Observable<Element>
    private let makeSink: (Sink<Result>) -> Sink<Element>

    init(_ upstream: Observable<Element>, _ makeSink: @escaping (Sink<Result>) -> Sink<Element>) {
        self.upstream = upstream
        self.makeSink = makeSink
    }

    override func run(_ sink: Sink<Result>) -> any Disposable {
        upstream.run(makeSink(sink))
    }
}
