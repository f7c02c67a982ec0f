#if TRACE_RESOURCES

/// Counts the object that holds it, from its making to its end.
struct ResourceTicket: ~Copyable {
    private let slots: Resources.Slots
    private let account: Resources.Account?

    /// Counts an object of `kind`.
    @inline(__always)
    init(_ kind: Resources.Kind) {
        self.init(Resources.Slots(kind))
    }

    /// Counts an observable of `operation`.
    @inline(__always)
    init(of operation: Operator) {
        self.init(Resources.Slots(observableOf: operation))
    }

    /// Counts a link of a running chain.
    @inline(__always)
    init(running operation: Operator) {
        self.init(Resources.Slots(runOf: operation))
    }

    private init(_ slots: Resources.Slots) {
        let thread = ThreadState.current
        self.slots = slots
        account = thread.pointee.account
        thread.pointee.tally.add(1, to: slots)
        account?.tally.addFromAnywhere(1, to: slots)
    }

    deinit {
        ThreadState.current.pointee.tally.add(-1, to: slots)
        account?.tally.addFromAnywhere(-1, to: slots)
    }
}

#else

/// Counts nothing: TRACE_RESOURCES is off.
struct ResourceTicket: ~Copyable {
    @inline(__always)
    init(_ kind: Resources.Kind) {}

    @inline(__always)
    init(of operation: Operator) {}

    @inline(__always)
    init(running operation: Operator) {}
}

#endif
