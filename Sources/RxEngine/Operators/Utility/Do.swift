extension ObservableType {
    /// Runs closures beside what happens to the sequence. An error thrown by one ends the sequence, in the place of
    /// what it was called for.
    ///
    ///     source                          --1--2--|
    ///     do(onNext: { print($0) })       --1--2--|     prints 1 and 2
    ///
    /// Of a source that tells all inside `subscribe`, the closures see: `onSubscribe`; its events; the end of the
    /// source's resources; `onSubscribed`; `onDispose`. Of one that tells its end later: that; the end of the source's
    /// resources; `onDispose`.
    ///
    /// - Parameters:
    ///   - onNext: runs before each element is passed on.
    ///   - afterNext: runs after each element was passed on.
    ///   - onError: runs before the error is passed on.
    ///   - afterError: runs after the error was passed on, and before the source is freed.
    ///   - onCompleted: runs before the end is passed on.
    ///   - afterCompleted: runs after the end was passed on, and before the source is freed.
    ///   - onSubscribe: runs before the source is subscribed to.
    ///   - onSubscribed: runs after the source was subscribed to.
    ///   - onDispose: runs exactly once, after the source has been freed: when the sequence ended or was disposed.
    @preconcurrency
    @inlinable
    public func `do`(
        onNext: (@Sendable (Element) throws -> Void)? = nil, afterNext: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil, afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil, onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Observable<Element> {
        let watch = Watch(
            onNext: onNext, afterNext: afterNext, onError: onError, afterError: afterError, onCompleted: onCompleted,
            afterCompleted: afterCompleted)
        let source = asObservable()
        if onSubscribe == nil, onSubscribed == nil, onDispose == nil, afterError == nil, afterCompleted == nil {
            return source.lift(.do, with: watch) { DoSink(to: $1, $0, nil) }
        }
        return .source(.do) { sink in
            onSubscribe?()
            let farewell = Farewell(onDispose)
            let run = source.run(DoSink(to: sink, watch, farewell))
            // It is disposed by whom this is returned to, who cannot yet have done it.
            if sink.live.isActive { farewell.keep(run) } else { run.dispose() }
            onSubscribed?()
            return farewell
        }
    }
}

@usableFromInline
final class DoSink<Element>: OperatorSink<Element, Element> {
    private let watch: Watch<Element>
    private let farewell: Farewell?

    @usableFromInline
    init(to downstream: Sink<Element>, _ watch: Watch<Element>, _ farewell: Farewell?) {
        self.watch = watch
        self.farewell = farewell
        super.init(.do, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        do {
            try watch.onNext?(element)
            guard live.isActive else { return }
            downstream.next(element)
            try watch.afterNext?(element)
        } catch {
            if live.isActive { downstream.error(error) }
        }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        farewell?.putOff()
        defer { farewell?.allow() }
        do {
            try watch.onError?(error)
            guard live.isActive else { return }
            downstream.error(error)
            try watch.afterError?(error)
        } catch {
            if live.isActive { downstream.error(error) }
        }
    }

    @usableFromInline
    override func completed() {
        farewell?.putOff()
        defer { farewell?.allow() }
        do {
            try watch.onCompleted?()
            guard live.isActive else { return }
            downstream.completed()
            try watch.afterCompleted?()
        } catch {
            if live.isActive { downstream.error(error) }
        }
    }
}

// Unchecked: what changes is behind the lock.
/// Frees a watched source, and then runs what is to run after that: once, and not before what runs after the end was
/// passed on.
@usableFromInline
final class Farewell: Disposable, @unchecked Sendable {
    private let ticket = ResourceTicket(.disposable)
    private let lock = Lock()
    private var run: (any Disposable)?
    private var action: (@Sendable () -> Void)?
    private var isPutOff = false
    private var isDue = false

    @usableFromInline
    init(_ action: (@Sendable () -> Void)?) {
        self.action = action
    }

    /// Takes what frees the source, before anyone can dispose this.
    @usableFromInline
    func keep(_ run: any Disposable) {
        lock.locked { self.run = run }
    }

    func putOff() {
        lock.locked { isPutOff = true }
    }

    func allow() {
        finish { isPutOff = false }
    }

    @usableFromInline
    func dispose() {
        finish { isDue = true }
    }

    private func finish(_ change: () -> Void) {
        let (run, action) = lock.locked {
            change()
            return isDue && !isPutOff ? (self.run.take(), self.action.take()) : (nil, nil)
        }
        run?.dispose()
        action?()
    }
}

/// What runs beside a sequence's events.
@usableFromInline
struct Watch<Element> {
    @usableFromInline let onNext: (@Sendable (Element) throws -> Void)?
    @usableFromInline let afterNext: (@Sendable (Element) throws -> Void)?
    @usableFromInline let onError: (@Sendable (any Error) throws -> Void)?
    @usableFromInline let afterError: (@Sendable (any Error) throws -> Void)?
    @usableFromInline let onCompleted: (@Sendable () throws -> Void)?
    @usableFromInline let afterCompleted: (@Sendable () throws -> Void)?

    @inlinable
    init(
        onNext: (@Sendable (Element) throws -> Void)?, afterNext: (@Sendable (Element) throws -> Void)?,
        onError: (@Sendable (any Error) throws -> Void)?, afterError: (@Sendable (any Error) throws -> Void)?,
        onCompleted: (@Sendable () throws -> Void)?, afterCompleted: (@Sendable () throws -> Void)?
    ) {
        self.onNext = onNext
        self.afterNext = afterNext
        self.onError = onError
        self.afterError = afterError
        self.onCompleted = onCompleted
        self.afterCompleted = afterCompleted
    }
}
