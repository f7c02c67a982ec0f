import Dispatch
import Glibc
import RxEngine

// Unchecked: all mutable state is used on its queue only.
/// A client of the service manager, connected while there is a subscription.
final class UnitManager: @unchecked Sendable {
    private static let name = "org.freedesktop.systemd1"
    private static let path = "/org/freedesktop/systemd1"
    private static let interface = "org.freedesktop.systemd1.Manager"

    private let address: Units.Bus
    private let queue = DispatchQueue(label: "rx.units")
    private let firstRetry: Duration
    private let longestRetry: Duration
    private let alarm: OneShotTimer

    private var bus: BusConnection?
    private var signals: [any Disposable] = []
    private var state = Units.Connection.unused
    private var retryDelay: Duration
    private var units: [UnitName: WatchedUnit] = [:]
    private var jobs = UnitJobs()
    private var connectionObservers: [Int: AnyObserver<Units.Connection>] = [:]
    private var lastKey = 0

    init(_ address: Units.Bus, firstRetry: Duration, longestRetry: Duration) {
        self.address = address
        self.firstRetry = firstRetry
        self.longestRetry = longestRetry
        retryDelay = firstRetry
        alarm = OneShotTimer(on: queue)
    }

    // MARK: Subscriptions

    func watch(_ name: UnitName, _ observer: AnyObserver<UnitState>) -> any Disposable {
        addSubscription { manager, key in
            let unit = manager.units[name] ?? WatchedUnit(name)
            manager.units[name] = unit
            let isFirst = unit.join(key, observer)
            if isFirst, manager.state == .connected { manager.start(unit) }
        } leave: { manager, key in
            guard let unit = manager.units[name], unit.leave(key) else { return }
            manager.units[name] = nil
        }
    }

    func perform(
        _ action: UnitAction, on unit: UnitName, mode: String, _ observer: AnyObserver<UnitJobResult>
    ) -> any Disposable {
        addSubscription { manager, key in
            manager.jobs.add(key, UnitJobs.Request(action: action, unit: unit.text, mode: mode, observer: observer))
            if manager.state == .connected { manager.sendRequests() }
        } leave: { manager, key in
            manager.jobs.remove(key)
        }
    }

    func watchConnection(_ observer: AnyObserver<Units.Connection>) -> any Disposable {
        addSubscription { manager, key in
            manager.connectionObservers[key] = observer
            observer.onNext(manager.state)
        } leave: { manager, key in
            manager.connectionObservers[key] = nil
        }
    }

    /// Runs `join` on the queue, and `leave` when the returned value is disposed, once.
    private func addSubscription(
        _ join: @escaping @Sendable (UnitManager, Int) -> Void, leave: @escaping @Sendable (UnitManager, Int) -> Void
    ) -> any Disposable {
        let subscription = Subscription()
        queue.async { [self] in
            guard !subscription.isDisposed else { return }
            lastKey += 1
            subscription.key = lastKey
            join(self, lastKey)
            connectOrClose()
        }
        return Disposables.create { [self] in
            queue.async { [self] in
                subscription.isDisposed = true
                guard let key = subscription.key.take() else { return }
                leave(self, key)
                connectOrClose()
            }
        }
    }

    // Unchecked: used on the manager's queue only.
    /// A subscription to the states of a unit.
    private final class Subscription: @unchecked Sendable {
        var key: Int?
        var isDisposed = false
    }

    // MARK: Connecting

    private func connectOrClose() {
        let isUsed = !units.isEmpty || !jobs.isEmpty
        switch state {
        case .unused where isUsed: connect()
        case .unused: break
        case _ where !isUsed:
            disconnect()
            retryDelay = firstRetry
            setState(.unused)
        // A new request does not wait for the next attempt.
        case .lost where jobs.hasUnsent: connect()
        case .connecting, .connected, .lost: break
        }
    }

    private func connect() {
        disconnect()
        setState(.connecting)
        do throws(SystemError) {
            let bus = try BusConnection(address, on: queue) { [weak self] in self?.connectionLost($0) }
            self.bus = bus
            let manager = "sender='\(Self.name)',path='\(Self.path)',interface='\(Self.interface)'"
            signals = [
                // Before any query, so that no change after its answer is missed.
                bus.match("type='signal',\(manager),member='JobRemoved'") { [weak self] in self?.jobRemoved($0) },
                bus.match("type='signal',\(manager),member='UnitNew'") { [weak self] in self?.unitLoaded($0) },
                bus.match("type='signal',\(manager),member='Reloading'") { [weak self] in self?.reloading($0) },
                bus.match(
                    "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.name)'"
                ) { [weak self] in self?.ownerChanged($0) },
            ]
            subscribe()
        } catch {
            connectionLost(error)
        }
    }

    /// Asks the manager to send signals about changes, which it does only for subscribers.
    private func subscribe() {
        bus?.call(Self.name, Self.path, Self.interface, "Subscribe", []) { [weak self] answer in
            guard let self else { return }
            // A manager that was re-executed keeps its subscribers, and returns this error.
            if let error = answer.error, !error.name.hasSuffix(".AlreadySubscribed") {
                return connectionLost(
                    SystemError(ENOTCONN, "subscribing to the service manager's signals: \(error)"))
            }
            retryDelay = firstRetry
            setState(.connected)
            for unit in units.values { start(unit) }
            sendRequests()
        }
    }

    private func disconnect() {
        alarm.cancel()
        for signal in signals { signal.dispose() }
        signals = []
        for unit in units.values { unit.stop() }
        bus.take()?.close()
    }

    private func connectionLost(_ error: SystemError) {
        disconnect()
        let wait = retryDelay
        retryDelay = min(retryDelay * 2, longestRetry)
        setState(.lost(error, retryAfter: wait))
        alarm.set(after: wait) { [weak self] in self?.connect() }
        for observer in jobs.removeAll() { observer.onError(error) }
    }

    private func setState(_ state: Units.Connection) {
        guard state != self.state else { return }
        self.state = state
        for observer in Array(connectionObservers.values) { observer.onNext(state) }
    }

    // MARK: Units

    private func start(_ unit: WatchedUnit) {
        guard let bus else { return }
        unit.start(on: bus) { [weak self] error in
            self?.connectionLost(SystemError(ETIMEDOUT, "asking the service manager for a unit's state: \(error)"))
        }
    }

    private func sendRequests() {
        guard let bus else { return }
        for (key, request) in jobs.takeUnsent() {
            bus.call(
                Self.name, Self.path, Self.interface, request.action.rawValue, [request.unit, request.mode]
            ) { [weak self] answer in
                guard let self else { return }
                if let error = answer.error {
                    jobs.remove(key)?.onError(error)
                } else if let path = answer.string("o") {
                    deliver(jobs.accept(key, path))
                }
            }
        }
    }

    private func jobRemoved(_ signal: borrowing BusMessage) {
        guard let number = signal.number(), let path = signal.string("o"), let unit = signal.string(),
            let result = signal.string()
        else { return }
        deliver(jobs.finish(path, UnitJobResult(unit: unit, job: number, result: result)))
    }

    private func deliver(_ finished: [UnitJobs.FinishedJob]) {
        for (observer, result) in finished {
            observer.onNext(result)
            observer.onCompleted()
        }
    }

    /// Queries a unit that was loaded, because the manager sends no signal about its state.
    private func unitLoaded(_ signal: borrowing BusMessage) {
        guard let text = signal.string(), let name = try? UnitName(text), let unit = units[name] else { return }
        // A query of an unloaded unit loads it for a moment, which causes this signal. Only a unit that stays loaded is
        // queried.
        bus?.call(Self.name, Self.path, Self.interface, "GetUnit", [text]) { [weak self, weak unit] answer in
            if answer.error == nil, let bus = self?.bus { unit?.query(on: bus) }
        }
    }

    /// Queries all units after the manager has reloaded their files, which may have changed them.
    private func reloading(_ signal: borrowing BusMessage) {
        guard signal.flag() == false, let bus else { return }
        for unit in units.values { unit.query(on: bus) }
    }

    private func ownerChanged(_ signal: borrowing BusMessage) {
        guard signal.string() != nil, signal.string() != nil, let new = signal.string() else { return }
        if new.isEmpty {
            connectionLost(SystemError(ENOTCONN, "the service manager has left the bus"))
        } else if state == .connected {
            // It is another manager, or one that was re-executed: it may not know this subscriber.
            subscribe()
        }
    }
}
