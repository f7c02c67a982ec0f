import Dispatch
import Glibc
import RxEngine

// Unchecked: touched on its queue alone, but for what never changes.
/// The service manager at the other end of the bus, while anyone wants something of it.
final class UnitManager: @unchecked Sendable {
    private static let name = "org.freedesktop.systemd1"
    private static let path = "/org/freedesktop/systemd1"
    private static let interface = "org.freedesktop.systemd1.Manager"

    private let address: Units.Bus
    private let queue = DispatchQueue(label: "rx.units")
    private let firstRetry: Duration
    private let longestRetry: Duration
    private let alarm: Alarm

    private var bus: BusConnection?
    private var signals: [any Disposable] = []
    private var state = Units.Connection.unused
    private var pause: Duration
    private var units: [UnitName: WatchedUnit] = [:]
    private var jobs = UnitJobs()
    private var listeners: [Int: AnyObserver<Units.Connection>] = [:]
    private var lastKey = 0

    init(_ address: Units.Bus, firstRetry: Duration, longestRetry: Duration) {
        self.address = address
        self.firstRetry = firstRetry
        self.longestRetry = longestRetry
        pause = firstRetry
        alarm = Alarm(on: queue)
    }

    // MARK: who wants what

    func watch(_ name: UnitName, _ observer: AnyObserver<UnitState>) -> any Disposable {
        enter { manager, key in
            let unit = manager.units[name] ?? WatchedUnit(name)
            manager.units[name] = unit
            let isFirst = unit.join(key, observer)
            if isFirst, manager.state == .connected { manager.begin(unit) }
        } leave: { manager, key in
            guard let unit = manager.units[name], unit.leave(key) else { return }
            manager.units[name] = nil
        }
    }

    func perform(
        _ action: UnitAction, on unit: UnitName, mode: String, _ observer: AnyObserver<UnitJobResult>
    ) -> any Disposable {
        enter { manager, key in
            manager.jobs.add(key, UnitJobs.Request(action: action, unit: unit.text, mode: mode, observer: observer))
            if manager.state == .connected { manager.sendRequests() }
        } leave: { manager, key in
            manager.jobs.remove(key)
        }
    }

    func watchConnection(_ observer: AnyObserver<Units.Connection>) -> any Disposable {
        enter { manager, key in
            manager.listeners[key] = observer
            observer.onNext(manager.state)
        } leave: { manager, key in
            manager.listeners[key] = nil
        }
    }

    /// Runs `join` on the queue, and `leave` when what is returned is disposed, once.
    private func enter(
        _ join: @escaping @Sendable (UnitManager, Int) -> Void, leave: @escaping @Sendable (UnitManager, Int) -> Void
    ) -> any Disposable {
        let place = Place()
        queue.async { [self] in
            guard !place.isLeft else { return }
            lastKey += 1
            place.key = lastKey
            join(self, lastKey)
            connectOrClose()
        }
        return Disposables.create { [self] in
            queue.async { [self] in
                place.isLeft = true
                guard let key = place.key.take() else { return }
                leave(self, key)
                connectOrClose()
            }
        }
    }

    // Unchecked: touched on the manager's queue alone.
    private final class Place: @unchecked Sendable {
        var key: Int?
        var isLeft = false
    }

    // MARK: connecting

    private func connectOrClose() {
        let isUsed = !units.isEmpty || !jobs.isEmpty
        switch state {
        case .unused where isUsed: connect()
        case .unused: break
        case _ where !isUsed:
            disconnect()
            pause = firstRetry
            become(.unused)
        // Whoever asks for something is not kept waiting for the next try.
        case .lost where jobs.hasUnsent: connect()
        case .connecting, .connected, .lost: break
        }
    }

    private func connect() {
        disconnect()
        become(.connecting)
        do throws(SystemError) {
            let bus = try BusConnection(address, on: queue) { [weak self] in self?.lose($0) }
            self.bus = bus
            let manager = "sender='\(Self.name)',path='\(Self.path)',interface='\(Self.interface)'"
            signals = [
                // Before anything is asked for: whatever changes after the answer shows.
                bus.match("type='signal',\(manager),member='JobRemoved'") { [weak self] in self?.jobRemoved($0) },
                bus.match("type='signal',\(manager),member='UnitNew'") { [weak self] in self?.unitCame($0) },
                bus.match("type='signal',\(manager),member='Reloading'") { [weak self] in self?.reloading($0) },
                bus.match(
                    "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.name)'"
                ) { [weak self] in self?.ownerChanged($0) },
            ]
            subscribe()
        } catch {
            lose(error)
        }
    }

    /// Asks the manager to tell of changes, which it does not do by itself.
    private func subscribe() {
        bus?.call(Self.name, Self.path, Self.interface, "Subscribe", []) { [weak self] answer in
            guard let self else { return }
            // Whoever restarted keeps its subscribers, and complains of those that come twice.
            if let error = answer.error, !error.name.hasSuffix(".AlreadySubscribed") {
                return lose(SystemError(ENOTCONN, "asking the service manager to tell of changes: \(error)"))
            }
            pause = firstRetry
            become(.connected)
            for unit in units.values { begin(unit) }
            sendRequests()
        }
    }

    private func disconnect() {
        alarm.cancel()
        for signal in signals { signal.dispose() }
        signals = []
        for unit in units.values { unit.pause() }
        bus.take()?.close()
    }

    private func lose(_ error: SystemError) {
        disconnect()
        let wait = pause
        pause = min(pause * 2, longestRetry)
        become(.lost(error, retryAfter: wait))
        alarm.set(after: wait) { [weak self] in self?.connect() }
        for observer in jobs.removeAll() { observer.onError(error) }
    }

    private func become(_ state: Units.Connection) {
        guard state != self.state else { return }
        self.state = state
        for listener in Array(listeners.values) { listener.onNext(state) }
    }

    // MARK: units

    private func begin(_ unit: WatchedUnit) {
        guard let bus else { return }
        unit.begin(on: bus) { [weak self] error in
            self?.lose(SystemError(ETIMEDOUT, "asking the service manager for a unit's state: \(error)"))
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
                    tell(jobs.accept(key, path))
                }
            }
        }
    }

    private func jobRemoved(_ signal: borrowing BusMessage) {
        guard let number = signal.number(), let path = signal.string("o"), let unit = signal.string(),
            let result = signal.string()
        else { return }
        tell(jobs.finish(path, UnitJobResult(unit: unit, job: number, result: result)))
    }

    private func tell(_ finished: [UnitJobs.Finished]) {
        for (observer, result) in finished {
            observer.onNext(result)
            observer.onCompleted()
        }
    }

    /// A unit has been loaded: it does not tell what had changed by then.
    private func unitCame(_ signal: borrowing BusMessage) {
        guard let text = signal.string(), let name = try? UnitName(text), let unit = units[name] else { return }
        // Asking after a unit loads it, if only for a moment, and so does this: only one that stays is worth a look.
        bus?.call(Self.name, Self.path, Self.interface, "GetUnit", [text]) { [weak self, weak unit] answer in
            if answer.error == nil, let bus = self?.bus { unit?.look(on: bus) }
        }
    }

    /// The manager reads its units' files again; afterwards they may be others.
    private func reloading(_ signal: borrowing BusMessage) {
        guard signal.flag() == false, let bus else { return }
        for unit in units.values { unit.look(on: bus) }
    }

    private func ownerChanged(_ signal: borrowing BusMessage) {
        guard signal.string() != nil, signal.string() != nil, let new = signal.string() else { return }
        if new.isEmpty {
            lose(SystemError(ENOTCONN, "the service manager has left the bus"))
        } else if state == .connected {
            // Another one, or the same after it was executed anew, which may know nothing of us.
            subscribe()
        }
    }
}
