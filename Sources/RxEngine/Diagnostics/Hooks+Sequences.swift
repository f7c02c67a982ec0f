extension Hooks {
    /// A closure for each hook that observes sequences.
    private struct Observers {
        var assembly: (@Sendable (Operator) -> Void)?
        var subscribe: (@Sendable (Operator) -> Void)?
        var nextDropped: (@Sendable (Any) -> Void)?
        var errorDropped: (@Sendable (any Error) -> Void)?
        var operatorError: (@Sendable (Operator, any Error) -> any Error)?
        var blocked: (@Sendable (BlockedScheduler) -> Void)?
    }

    private static let observers = Locked(Observers())

    private static func set<Closure>(
        _ path: WritableKeyPath<Observers, Closure?> & Sendable, _ bit: UInt8, _ closure: Closure?
    ) {
        var previous = closure
        observers.withLock {
            swap(&$0[keyPath: path], &previous)
            // Under the lock, so that the switch agrees with the last closure that was set.
            DiagnosticSwitches.set(bit, $0[keyPath: path] != nil)
        }
        // Released outside the lock: the deinitializers of objects that it captures may use hooks.
        withExtendedLifetime(previous) {}
    }

    /// Calls a hook, unless this thread is inside one.
    private static func call<Closure, Result>(
        _ path: KeyPath<Observers, Closure?> & Sendable, _ body: (Closure) -> Result
    ) -> Result? {
        let thread = ThreadState.current
        guard !thread.pointee.isInHook, let closure = observers.withLock({ $0[keyPath: path] }) else { return nil }
        thread.pointee.isInHook = true
        defer { thread.pointee.isInHook = false }
        return body(closure)
    }

    /// The closure that is called as an observable is made, with its operator (default: `nil`).
    ///
    /// It is called on the thread that makes the observable, before the call that makes it returns. An observable that
    /// an operator makes for itself counts, too. Without the package trait `TRACE_RESOURCES` it is never called. What the
    /// hook itself does calls no hook.
    public static var onAssembly: (@Sendable (Operator) -> Void)? {
        get { observers.withLock { $0.assembly } }
        set { set(\.assembly, DiagnosticSwitches.assembly, newValue) }
    }

    /// The closure that is called before a run starts, with the operator of the observable (default: `nil`).
    ///
    /// It is called on the subscribing thread, for each subscription of the program and for each sequence that an
    /// operator such as `flatMap` subscribes to. Without the package trait `TRACE_RESOURCES` it is never called. What the
    /// hook itself does calls no hook.
    public static var onSubscribe: (@Sendable (Operator) -> Void)? {
        get { observers.withLock { $0.subscribe } }
        set { set(\.subscribe, DiagnosticSwitches.subscribe, newValue) }
    }

    /// The closure that receives elements that are dropped after the end of a sequence or its disposal (default: `nil`).
    ///
    /// It receives an element that a source emits to the observer of a run that is over, to the observer of
    /// ``ObservableType/create(_:)`` or to a subject after its end. Runs that were started while the hook was `nil` report
    /// nothing, since an element is to cost no more for this. An element that an operator drops by its meaning, as
    /// `filter` does, is not one of them, and neither are elements that a queue holds when it is disposed. It is called
    /// on the thread that emits the element. Engine calls made inside a hook call no hook.
    public static var onNextDropped: (@Sendable (Any) -> Void)? {
        get { observers.withLock { $0.nextDropped } }
        set { set(\.nextDropped, DiagnosticSwitches.nextDropped, newValue) }
    }

    /// The closure that receives errors that have nowhere to go (default: `nil`).
    ///
    /// It receives an error that reaches a run, or a subject, which has ended or was disposed, such as the second error
    /// of a source, or that of a source which fails while it is being cancelled. An error that reaches a subscription
    /// without a handler goes to ``Hooks/defaultErrorHandler`` instead. It is called on the thread that emits the error.
    /// Engine calls made inside a hook call no hook.
    public static var onErrorDropped: (@Sendable (any Error) -> Void)? {
        get { observers.withLock { $0.errorDropped } }
        set { set(\.errorDropped, DiagnosticSwitches.errorDropped, newValue) }
    }

    /// The closure that maps each error that a closure of an operator throws to the error to emit.
    ///
    /// The default, `nil`, emits the same error.
    ///
    ///     Hooks.onOperatorError = { operation, error in
    ///         log("\(operation) failed: \(error)")
    ///         return error
    ///     }
    ///
    /// It is called on the thread that emits the element, before the error is emitted. Without the package trait
    /// `TRACE_RESOURCES` some operators are ``Operator/custom``. Engine calls made inside a hook call no hook.
    public static var onOperatorError: (@Sendable (Operator, any Error) -> any Error)? {
        get { observers.withLock { $0.operatorError } }
        set { set(\.operatorError, DiagnosticSwitches.operatorError, newValue) }
    }

    /// The closure that is called when an action blocks a thread of a scheduler (default: `nil`).
    ///
    /// An action blocks a thread if it holds it for longer than ``blockedAfter``.
    ///
    /// It is called once for each such action, while the action still runs, on a thread of its own. It finds what blocks:
    /// a closure that waits for a lock, a file or the network. On a serial scheduler it holds up every event behind it;
    /// on a concurrent one, an executor or an operation queue it takes a thread from all others that run there. Actions
    /// that are scheduled while it is `nil` are not watched, nor those of virtual time and of a thread's trampoline.
    /// Release builds of the engine never call it.
    ///
    ///     Hooks.onBlocked = { print($0) }
    ///     // rx.api: debounce, has run for 1.0 s
    public static var onBlocked: (@Sendable (BlockedScheduler) -> Void)? {
        get { observers.withLock { $0.blocked } }
        set {
            set(\.blocked, DiagnosticSwitches.blocked, newValue)
            BlockingWatch.restart()
        }
    }
}

// What the engine calls.
extension Hooks {
    @inline(never)
    static func assembling(_ operation: Operator) {
        _ = call(\.assembly) { $0(operation) }
    }

    static func subscribing(to operation: Operator?) {
        guard DiagnosticSwitches.isOn(DiagnosticSwitches.subscribe) else { return }
        _ = call(\.subscribe) { $0(operation ?? .custom) }
    }

    /// Whether ``onNextDropped`` is set.
    @usableFromInline
    static var reportsDrops: Bool { DiagnosticSwitches.isOn(DiagnosticSwitches.nextDropped) }

    /// Passes an element that is dropped to ``onNextDropped``.
    @inline(never)
    static func dropped<Element>(_ element: Element) {
        guard DiagnosticSwitches.isOn(DiagnosticSwitches.nextDropped) else { return }
        _ = call(\.nextDropped) { $0(element) }
    }

    /// Passes an error that is dropped to ``onErrorDropped``.
    @inline(never)
    static func dropped(error: any Error) {
        guard DiagnosticSwitches.isOn(DiagnosticSwitches.errorDropped) else { return }
        _ = call(\.errorDropped) { $0(error) }
    }

    /// Passes an error that is dropped to ``onErrorDropped``.
    static func dropped(_ end: Termination) {
        if case .error(let error) = end { dropped(error: error) }
    }

    /// Returns the error to emit for one that a closure of `operation` has thrown; see ``onOperatorError``.
    @usableFromInline @inline(never)
    static func thrown(_ error: any Error, in operation: Operator) -> any Error {
        guard DiagnosticSwitches.isOn(DiagnosticSwitches.operatorError) else { return error }
        return call(\.operatorError) { $0(operation, error) } ?? error
    }

    static func blocked(_ report: BlockedScheduler) {
        _ = call(\.blocked) { $0(report) }
    }
}
