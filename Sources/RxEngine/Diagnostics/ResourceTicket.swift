#if TRACE_RESOURCES

/// Counts the object that holds it, from `init` to `deinit`.
struct ResourceTicket: ~Copyable {
    private let slot: Resources.Slot
    /// 0 for most objects, and then there is nothing to release. Otherwise the address of the account, or, with its
    /// lowest bit set, that of the record, which has the account. It retains either.
    private let attachment: UInt

    /// Counts an object of `kind`.
    @inline(__always)
    init(_ kind: Resources.Kind) {
        self.init(Resources.Slot(kind))
    }

    /// Counts an observable of `operation`, and calls ``Hooks/onAssembly``.
    ///
    /// Not inlined: `init` of an observable is to have no call but this one.
    @inline(never)
    init(of operation: Operator) {
        self.init(counting: Resources.Slot(observableOf: operation))
        if DiagnosticSwitches.isOn(DiagnosticSwitches.assembly) { Hooks.assembling(operation) }
    }

    /// Counts a link of a running chain, and records it if ``Resources/recording`` is on.
    ///
    /// - Parameters:
    ///   - operation: the operator of the link.
    ///   - downstream: the sink that receives its events; replaced by one that counts elements if they are counted.
    ///   - name: the name of a checkpoint.
    @inline(__always)
    init<Element>(running operation: Operator, into downstream: inout Sink<Element>, named name: String? = nil) {
        if DiagnosticSwitches.isOn(DiagnosticSwitches.records) {
            self.init(recording: Resources.Slot(runOf: operation), operation, under: downstream.record, name)
            if let record { downstream = record.counting(downstream) }
        } else {
            self.init(Resources.Slot(runOf: operation))
        }
    }

    /// Counts a link of a running chain, and records it without a count of its elements if ``Resources/recording`` is
    /// on.
    @inline(__always)
    init(running operation: Operator, under subscriber: @autoclosure () -> SubscriptionRecord?) {
        if DiagnosticSwitches.isOn(DiagnosticSwitches.records) {
            self.init(recording: Resources.Slot(runOf: operation), operation, under: subscriber(), nil)
        } else {
            self.init(Resources.Slot(runOf: operation))
        }
    }

    /// Counts a subscription, and records it if ``Resources/recording`` is on.
    ///
    /// - Parameter subscriber: returns the record of what receives its events; `nil` for the program.
    @inline(__always)
    init(_ kind: Resources.Kind, under subscriber: @autoclosure () -> SubscriptionRecord?) {
        if DiagnosticSwitches.isOn(DiagnosticSwitches.records) {
            self.init(recording: Resources.Slot(kind), nil, under: subscriber(), nil)
        } else {
            self.init(Resources.Slot(kind))
        }
    }

    /// Counts a subscription whose events `sink` receives, and records it if ``Resources/recording`` is on.
    @inline(__always)
    init(_ kind: Resources.Kind, into sink: borrowing AnySink) {
        if DiagnosticSwitches.isOn(DiagnosticSwitches.records) {
            self.init(recording: Resources.Slot(kind), nil, under: sink.record, nil)
        } else {
            self.init(Resources.Slot(kind))
        }
    }

    @inline(never)
    private init(_ slot: Resources.Slot) {
        self.init(counting: slot)
    }

    @inline(__always)
    private init(counting slot: Resources.Slot) {
        let thread = ThreadState.current
        self.slot = slot
        thread.pointee.tally.add(1, to: slot)
        let account = thread.pointee.unretainedAccount
        attachment = account.map { UInt(bitPattern: $0.toOpaque()) } ?? 0
        account?.charge(slot)
    }

    @inline(never)
    private init(
        recording slot: Resources.Slot, _ operation: Operator?, under subscriber: SubscriptionRecord?, _ name: String?
    ) {
        let thread = ThreadState.current
        self.slot = slot
        thread.pointee.tally.add(1, to: slot)
        let account = thread.pointee.account
        account?.tally.addFromAnywhere(1, to: slot)
        let record = SubscriptionRegistry.add(slot, operation, subscriber: subscriber, name: name, account: account)
        attachment = UInt(bitPattern: Unmanaged.passRetained(record).toOpaque()) | Self.recordBit
    }

    private static let recordBit: UInt = 1

    /// The record, if there is one.
    var record: SubscriptionRecord? {
        guard attachment & Self.recordBit != 0 else { return nil }
        return UnsafeRawPointer(bitPattern: attachment & ~Self.recordBit).map {
            Unmanaged<SubscriptionRecord>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// The operator of an observable or a link.
    var operation: Operator? { slot.operation }

    deinit {
        ThreadState.current.pointee.tally.add(-1, to: slot)
        if attachment != 0 { Self.detach(attachment, slot) }
    }

    @inline(never)
    private static func detach(_ attachment: UInt, _ slot: Resources.Slot) {
        guard let pointer = UnsafeRawPointer(bitPattern: attachment & ~recordBit) else { return }
        guard attachment & recordBit != 0 else {
            return Unmanaged<Resources.Account>.fromOpaque(pointer).discharge(slot)
        }
        let record = Unmanaged<SubscriptionRecord>.fromOpaque(pointer).takeRetainedValue()
        record.account?.tally.addFromAnywhere(-1, to: slot)
        SubscriptionRegistry.remove(record)
    }
}

extension Unmanaged<Resources.Account> {
    /// Adds an object, which retains the account until it is discharged.
    @inline(never)
    fileprivate func charge(_ slot: Resources.Slot) {
        retain()._withUnsafeGuaranteedRef { $0.tally.addFromAnywhere(1, to: slot) }
    }

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
    init<Element>(running operation: Operator, into downstream: inout Sink<Element>, named name: String? = nil) {}

    @inline(__always)
    init(running operation: Operator, under subscriber: @autoclosure () -> SubscriptionRecord?) {}

    @inline(__always)
    init(_ kind: Resources.Kind, under subscriber: @autoclosure () -> SubscriptionRecord?) {}

    @inline(__always)
    init(_ kind: Resources.Kind, into sink: borrowing AnySink) {}

    var record: SubscriptionRecord? { nil }

    var operation: Operator? { nil }
}

#endif
