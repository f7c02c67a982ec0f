#if TRACE_RESOURCES

/// Counts the object that holds it, from its making to its end.
struct ResourceTicket: ~Copyable {
    private let kind: Resources.Kind
    private let account: Resources.Account?

    init(_ kind: Resources.Kind) {
        self.kind = kind
        account = ThreadState.existing?.account
        Resources.Account.everything.add(1, of: kind)
        account?.add(1, of: kind)
    }

    deinit {
        account?.add(-1, of: kind)
        Resources.Account.everything.add(-1, of: kind)
    }
}

#else

/// Counts nothing: TRACE_RESOURCES is off.
struct ResourceTicket: ~Copyable {
    @inline(__always)
    init(_ kind: Resources.Kind) {}
}

#endif
