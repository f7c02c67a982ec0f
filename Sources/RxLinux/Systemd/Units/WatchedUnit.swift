import CSystemd
import Glibc
import RxEngine

/// A unit whose state is observed. Only its manager's queue uses it.
final class WatchedUnit {
    private static let manager = "org.freedesktop.systemd1"
    private static let interface = "org.freedesktop.systemd1.Unit"
    private static let properties = "org.freedesktop.DBus.Properties"

    private let name: UnitName
    private let path: String
    private var observers: [Int: AnyObserver<UnitState>] = [:]
    private var signals: (any Disposable)?
    /// The latest known state, once the unit has been queried.
    private var current: UnitState?
    private var lastEmitted: UnitState?
    private var result: String?
    /// The number of times that the watch has begun; answers to queries of earlier generations are ignored.
    private var generation = 0
    private var onNoReply: (BusError) -> Void = { _ in }

    init(_ name: UnitName) {
        self.name = name
        var text: UnsafeMutablePointer<CChar>?
        path =
            sd_bus_path_encode("/org/freedesktop/systemd1/unit", name.text, &text) >= 0
            ? text.map { String(cString: $0) } ?? "" : ""
        free(text)
    }

    // MARK: Observers

    /// - Returns: whether it is the first observer.
    func join(_ key: Int, _ observer: AnyObserver<UnitState>) -> Bool {
        observers[key] = observer
        if let current { observer.onNext(current) }
        return observers.count == 1
    }

    /// - Returns: whether it was the last observer.
    func leave(_ key: Int) -> Bool {
        observers[key] = nil
        if observers.isEmpty { stop() }
        return observers.isEmpty
    }

    private func emitIfChanged() {
        guard let current, current != lastEmitted else { return }
        lastEmitted = current
        for key in observers.keys.sorted() { observers[key]?.onNext(current) }
    }

    // MARK: Bus

    /// Observes the unit on a new connection and emits its state.
    ///
    /// - Parameters:
    ///   - bus: the connection.
    ///   - onNoReply: called if the manager does not answer.
    func start(on bus: BusConnection, onNoReply: @escaping (BusError) -> Void) {
        stop()
        self.onNoReply = onNoReply
        signals = bus.match(
            "type='signal',sender='\(Self.manager)',path='\(path)',interface='\(Self.properties)',"
                + "member='PropertiesChanged'"
        ) { [weak self] in self?.changed($0) }
        query(on: bus)
    }

    /// Stops observing: the connection is closed.
    func stop() {
        signals.take()?.dispose()
        onNoReply = { _ in }
        current = nil
        lastEmitted = nil
        generation += 1
    }

    /// Queries the unit's state and emits it if it differs. Answers and signals arrive in the order in which the
    /// manager sent them.
    func query(on bus: BusConnection) {
        let generation = generation
        if let interface = name.interface {
            bus.call(Self.manager, path, Self.properties, "Get", [interface, "Result"]) { [weak self] answer in
                if let self, generation == self.generation { result = Self.text(in: answer) }
            }
        }
        bus.call(Self.manager, path, Self.properties, "GetAll", [Self.interface]) { [weak self] answer in
            guard let self, generation == self.generation else { return }
            if let error = answer.error { return error.isNoReply ? onNoReply(error) : refused(error) }
            var state = UnitState(unit: name.text, load: "", active: "", sub: "", result: result, job: nil)
            Self.read(answer, into: &state)
            current = state
            emitIfChanged()
        }
    }

    private func refused(_ error: BusError) {
        let ended = observers
        observers = [:]
        for key in ended.keys.sorted() { ended[key]?.onError(error) }
    }

    /// Handles a change signal. The manager sends one for the unit's type first, and then one for any unit: the state
    /// is complete with the latter.
    private func changed(_ signal: borrowing BusMessage) {
        guard let interface = signal.string() else { return }
        if interface == Self.interface {
            guard var state = current else { return }
            Self.read(signal, into: &state)
            state.result = result
            current = state
            emitIfChanged()
        } else if interface == name.interface {
            var state = UnitState(unit: name.text, load: "", active: "", sub: "", result: result, job: nil)
            Self.read(signal, into: &state)
            result = state.result
        }
    }

    private static func read(_ message: borrowing BusMessage, into state: inout UnitState) {
        // A noncopyable message cannot be captured, except for the duration of a call.
        let raw = message.raw
        _ = message.inside("a", "{sv}") { () -> Bool? in
            let message = BusMessage(raw)
            while let isRead = message.inside("e", "sv", { read(property: raw, into: &state) }) {
                if !isRead { return nil }
            }
            return true
        }
    }

    private static func read(property raw: OpaquePointer, into state: inout UnitState) -> Bool? {
        let message = BusMessage(raw)
        guard let name = message.string(), let contents = message.variantContents() else { return false }
        switch (name, contents) {
        case ("LoadState", "s"): state.load = text(in: message) ?? state.load
        case ("ActiveState", "s"): state.active = text(in: message) ?? state.active
        case ("SubState", "s"): state.sub = text(in: message) ?? state.sub
        case ("Result", "s"): state.result = text(in: message)
        case ("Job", "(uo)"):
            let number = message.inside("v", "(uo)") {
                let message = BusMessage(raw)
                return message.inside("r", "uo") {
                    let message = BusMessage(raw)
                    let number = message.number()
                    message.skip("o")
                    return number
                }
            }
            state.job = number == 0 ? nil : number
        default: message.skip("v")
        }
        return true
    }

    private static func text(in variant: borrowing BusMessage) -> String? {
        let raw = variant.raw
        guard variant.error == nil, variant.variantContents() == "s" else { return nil }
        return variant.inside("v", "s") { BusMessage(raw).string() }
    }
}
