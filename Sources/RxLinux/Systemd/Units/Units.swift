import Dispatch
import RxEngine

/// The service manager's units: observes their states and performs actions on them.
///
/// One connection to the bus serves all sequences of a value of this type; it exists while there is a subscription. A
/// queue of its own delivers all elements.
public final class Units: Sendable {
    /// The message bus of the service manager.
    public enum Bus: Sendable, Hashable, CustomStringConvertible {
        /// The system bus.
        case system
        /// The bus at an address in D-Bus's notation.
        case address(String)

        /// The bus in words.
        public var description: String {
            switch self {
            case .system: "the system bus"
            case .address(let address): "the bus at \(address)"
            }
        }
    }

    /// The state of the connection to the service manager.
    public enum Connection: Sendable, Hashable {
        /// There is no subscription.
        case unused
        /// The connection is being made.
        case connecting
        /// The manager has answered.
        case connected
        /// The connection broke or could not be made; the next attempt is after this time.
        case lost(SystemError, retryAfter: Duration)
    }

    private let manager: UnitManager

    /// Creates a client of the service manager on `bus`.
    ///
    /// - Parameters:
    ///   - bus: the message bus.
    ///   - firstRetry: the time until the first attempt to reconnect; it doubles with each attempt.
    ///   - longestRetry: the longest time between two attempts.
    public init(
        on bus: Bus = .system, firstRetry: Duration = .milliseconds(100), longestRetry: Duration = .seconds(30)
    ) {
        manager = UnitManager(bus, firstRetry: firstRetry, longestRetry: longestRetry)
    }

    /// Emits the current state of a unit, and each change of it.
    ///
    ///     state(of: "nginx.service")      -active/running------deactivating/stop-sigterm--inactive/dead->
    ///
    /// A unit that is not loaded, or does not exist, also has a state, and is observed when it appears. Nothing is
    /// emitted without a connection; after a reconnection the state is emitted again, even if it is the same.
    ///
    /// It never completes. It fails with a ``UnitNameError``, or with a ``BusError`` if the manager refuses the query.
    public func state(of unit: String) -> Observable<UnitState> {
        .create { [manager] observer in
            do {
                return manager.watch(try UnitName(unit), observer)
            } catch {
                observer.onError(error)
                return Disposables.create()
            }
        }
    }

    /// Performs an action on a unit, and emits the result of the job.
    ///
    ///     perform(.restart, on: "nginx.service")      ----done|
    ///
    /// A job that fails is a result, not an error. It fails with a ``BusError`` if the manager refuses the request
    /// (`AccessDenied`, `NoSuchUnit`), a ``UnitNameError``, or a ``SystemError`` if the manager cannot be reached or
    /// the connection breaks before the job is done; the job may or may not be done then. Disposing stops waiting; the
    /// job continues.
    ///
    /// - Parameters:
    ///   - action: the action.
    ///   - unit: the name of the unit.
    ///   - mode: the handling of conflicting jobs, as in `systemctl --job-mode`.
    public func perform(
        _ action: UnitAction, on unit: String, mode: String = "replace"
    ) -> Observable<UnitJobResult> {
        .create { [manager] observer in
            do {
                return manager.perform(action, on: try UnitName(unit), mode: mode, observer)
            } catch {
                observer.onError(error)
                return Disposables.create()
            }
        }
    }

    /// Emits the current state of the connection, and each change of it. A subscription to it alone does not connect.
    public var connection: Observable<Connection> {
        .create { [manager] observer in manager.watchConnection(observer) }
    }
}

extension Units {
    /// Returns whether a text is a valid unit name, which ends in its type.
    public static func isName(_ text: String) -> Bool {
        (try? UnitName(text)) != nil
    }
}
