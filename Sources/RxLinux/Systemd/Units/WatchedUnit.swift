import CSystemd
import Glibc
import RxEngine

/// A unit that somebody wants to know the state of. It belongs to its manager's queue.
final class WatchedUnit {
    private static let manager = "org.freedesktop.systemd1"
    private static let interface = "org.freedesktop.systemd1.Unit"
    private static let properties = "org.freedesktop.DBus.Properties"

    private let name: UnitName
    private let path: String
    private var observers: [Int: AnyObserver<UnitState>] = [:]
    private var signals: (any Disposable)?
    /// What is known of the unit, once it has been looked at.
    private var current: UnitState?
    private var told: UnitState?
    private var result: String?
    /// How often it has begun: answers from before are not heard.
    private var round = 0
    private var onSilence: (BusError) -> Void = { _ in }

    init(_ name: UnitName) {
        self.name = name
        var text: UnsafeMutablePointer<CChar>?
        path =
            sd_bus_path_encode("/org/freedesktop/systemd1/unit", name.text, &text) >= 0
            ? text.map { String(cString: $0) } ?? "" : ""
        free(text)
    }

    // MARK: observers

    /// - Returns: whether it is the first.
    func join(_ key: Int, _ observer: AnyObserver<UnitState>) -> Bool {
        observers[key] = observer
        if let current { observer.onNext(current) }
        return observers.count == 1
    }

    /// - Returns: whether it was the last.
    func leave(_ key: Int) -> Bool {
        observers[key] = nil
        if observers.isEmpty { pause() }
        return observers.isEmpty
    }

    private func tell() {
        guard let current, current != told else { return }
        told = current
        for key in observers.keys.sorted() { observers[key]?.onNext(current) }
    }

    // MARK: the bus

    /// Follows the unit on a connection that is new, and tells its state. `onSilence` is called where nobody answers.
    func begin(on bus: BusConnection, onSilence: @escaping (BusError) -> Void) {
        pause()
        self.onSilence = onSilence
        signals = bus.match(
            "type='signal',sender='\(Self.manager)',path='\(path)',interface='\(Self.properties)',"
                + "member='PropertiesChanged'"
        ) { [weak self] in self?.changed($0) }
        look(on: bus)
    }

    /// The connection has gone.
    func pause() {
        signals.take()?.dispose()
        onSilence = { _ in }
        current = nil
        told = nil
        round += 1
    }

    /// Asks for the unit's state, and tells it where it is another. Answers and signals come in the order in which the
    /// manager sent them.
    func look(on bus: BusConnection) {
        let round = round
        if let interface = name.interface {
            bus.call(Self.manager, path, Self.properties, "Get", [interface, "Result"]) { [weak self] answer in
                if let self, round == self.round { result = Self.text(in: answer) }
            }
        }
        bus.call(Self.manager, path, Self.properties, "GetAll", [Self.interface]) { [weak self] answer in
            guard let self, round == self.round else { return }
            if let error = answer.error { return error.isSilence ? onSilence(error) : refused(error) }
            var state = UnitState(unit: name.text, load: "", active: "", sub: "", result: result, job: nil)
            Self.read(answer, into: &state)
            current = state
            tell()
        }
    }

    private func refused(_ error: BusError) {
        let ended = observers
        observers = [:]
        for key in ended.keys.sorted() { ended[key]?.onError(error) }
    }

    /// The manager tells what is new, first in terms of the unit's type and then of any unit's: with the latter the
    /// state is whole.
    private func changed(_ signal: borrowing BusMessage) {
        guard let interface = signal.string() else { return }
        if interface == Self.interface {
            guard var state = current else { return }
            Self.read(signal, into: &state)
            state.result = result
            current = state
            tell()
        } else if interface == name.interface {
            var state = UnitState(unit: name.text, load: "", active: "", sub: "", result: result, job: nil)
            Self.read(signal, into: &state)
            result = state.result
        }
    }

    private static func read(_ message: borrowing BusMessage, into state: inout UnitState) {
        // A message cannot be captured, but for the time of a call.
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
