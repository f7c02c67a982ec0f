import Dispatch
import RxEngine

/// The service manager's units: their states as sequences, and what can be done with them.
///
/// One connection to the bus serves all sequences of a value of this type; it is there while any is subscribed to.
/// Everything is told on one queue of its own.
public final class Units: Sendable {
    /// The message bus that the service manager is on.
    public enum Bus: Sendable, Hashable, CustomStringConvertible {
        /// The system's.
        case system
        /// The one at an address in D-Bus's notation.
        case address(String)

        /// The bus, for people.
        public var description: String {
            switch self {
            case .system: "the system bus"
            case .address(let address): "the bus at \(address)"
            }
        }
    }

    /// How the connection to the service manager stands.
    public enum Connection: Sendable, Hashable {
        /// Nobody needs one.
        case unused
        /// It is being made.
        case connecting
        /// The manager answers.
        case connected
        /// It is gone, or could not be made, and is tried again after a while.
        case lost(SystemError, retryAfter: Duration)
    }

    private let manager: UnitManager

    /// The units of the service manager on `bus`.
    ///
    /// - Parameters:
    ///   - firstRetry: after what time a lost connection is tried again; each time after twice the time before,
    ///   - longestRetry: but not after more than this.
    public init(
        on bus: Bus = .system, firstRetry: Duration = .milliseconds(100), longestRetry: Duration = .seconds(30)
    ) {
        manager = UnitManager(bus, firstRetry: firstRetry, longestRetry: longestRetry)
    }

    /// The state of a unit: as it is, and then each time it changes.
    ///
    ///     state(of: "nginx.service")      -active/running------deactivating/stop-sigterm--inactive/dead->
    ///
    /// A unit that is not loaded, or does not exist, has a state too, and tells when it comes. While there is no
    /// connection nothing is told; when there is again, the state is told anew, even if it is the same. Never
    /// completes; errors are ``UnitNameError`` and ``BusError``, where the manager refuses to tell.
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

    /// Asks the manager to do something with a unit, and tells what became of the job.
    ///
    ///     perform(.restart, on: "nginx.service")      ----done|
    ///
    /// A job that fails is a result. Errors are ``BusError``, where the manager refuses (`AccessDenied`, `NoSuchUnit`),
    /// ``UnitNameError``, and ``SystemError``, where it cannot be reached or goes away before the job is done; then it
    /// may or may not be. Disposing stops waiting for the job, which goes on.
    ///
    /// - Parameter mode: what is done about jobs that are in the way, as in `systemctl --job-mode`.
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

    /// How the connection stands: at once, and whenever that changes. Being subscribed to this alone makes none.
    public var connection: Observable<Connection> {
        .create { [manager] observer in manager.watchConnection(observer) }
    }
}

extension Units {
    /// Whether a unit can have this name, which ends in its type.
    public static func isName(_ text: String) -> Bool {
        (try? UnitName(text)) != nil
    }
}
