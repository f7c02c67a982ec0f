#if TRACE_RESOURCES

/// Counts the object that holds it, from `init` to `deinit`.
struct ResourceTicket: ~Copyable {
    private let slot: Resources.Slot
    // Unmanaged: most objects have no account, and then there is nothing to release.
    private let account: Unmanaged<Resources.Account>?

    /// Counts an object of `kind`.
    @inline(__always)
    init(_ kind: Resources.Kind) {
        self.init(Resources.Slot(kind))
    }

    /// Counts an observable of `operation`.
    @inline(__always)
    init(of operation: Operator) {
        self.init(Resources.Slot(observableOf: operation))
    }

    /// Counts a link of a running chain.
    @inline(__always)
    init(running operation: Operator) {
        self.init(Resources.Slot(runOf: operation))
    }

    private init(_ slot: Resources.Slot) {
        let thread = ThreadState.current
        self.slot = slot
        account = thread.pointee.unretainedAccount
        thread.pointee.tally.add(1, to: slot)
        account?.charge(slot)
    }

    deinit {
        ThreadState.current.pointee.tally.add(-1, to: slot)
        account?.discharge(slot)
    }
}

extension Unmanaged<Resources.Account> {
    /// Adds an object, which retains the account until it is discharged.
    @inline(never)
    fileprivate func charge(_ slot: Resources.Slot) {
        retain()._withUnsafeGuaranteedRef { $0.tally.addFromAnywhere(1, to: slot) }
    }

    @inline(never)
    fileprivate func discharge(_ slot: Resources.Slot) {
        _withUnsafeGuaranteedRef { $0.tally.addFromAnywhere(-1, to: slot) }
        release()
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
