/// The state of a unit in the service manager.
public struct UnitState: Sendable, Hashable {
    /// The unit's name.
    public var unit: String
    /// Whether the unit exists: `loaded`, `not-found`, `masked`, `error` and so on.
    public var load: String
    /// `active`, `inactive`, `activating`, `deactivating`, `failed`, `reloading` and so on.
    public var active: String
    /// The state in terms of the unit's type, such as `running` or `dead` for a service.
    public var sub: String
    /// The latest result, such as `success`, `exit-code`, `signal` or `timeout`.
    ///
    /// `nil` for the types of unit that have none, such as targets.
    public var result: String?
    /// The number of the unit's job that is queued or running; `nil` if there is none.
    public var job: UInt32?

    /// Creates a state.
    public init(unit: String, load: String, active: String, sub: String, result: String?, job: UInt32?) {
        self.unit = unit
        self.load = load
        self.active = active
        self.sub = sub
        self.result = result
        self.job = job
    }
}

/// An action of the service manager on a unit.
public enum UnitAction: String, Sendable, Hashable, CaseIterable {
    /// Starts the unit, unless it runs.
    case start = "StartUnit"
    /// Stops the unit.
    case stop = "StopUnit"
    /// Stops and starts the unit; starts it if it does not run.
    case restart = "RestartUnit"
    /// Makes the unit read its configuration again.
    case reload = "ReloadUnit"
    /// Reloads the unit if it supports that, otherwise restarts it.
    case reloadOrRestart = "ReloadOrRestartUnit"
    /// Restarts the unit if it runs.
    case tryRestart = "TryRestartUnit"
}

/// The result of a job of the service manager.
public struct UnitJobResult: Sendable, Hashable {
    /// The unit.
    public var unit: String
    /// The job's number.
    public var job: UInt32
    /// `done`, `failed`, `canceled`, `timeout`, `dependency`, `skipped` and so on.
    public var result: String

    /// Creates a result.
    public init(unit: String, job: UInt32, result: String) {
        self.unit = unit
        self.job = job
        self.result = result
    }

    /// Whether the job succeeded.
    public var isDone: Bool { result == "done" }
}

/// An error for an invalid unit name.
public struct UnitNameError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// The error in words, with an example of a valid name.
    public var description: String {
        "'\(name)' is not the name of a unit: it must end in its type, such as .service or .timer, and have only "
            + "letters, digits and :-_.\\@"
    }
}

/// A parsed unit name.
struct UnitName: Sendable, Hashable {
    let text: String
    private let type: Substring

    /// The unit types, and the bus interfaces of those that have a result.
    private static let types: [Substring: String?] = [
        "service": "Service", "socket": "Socket", "mount": "Mount", "automount": "Automount", "swap": "Swap",
        "timer": "Timer", "path": "Path", "scope": "Scope", "target": nil, "device": nil, "slice": nil,
    ]

    init(_ text: String) throws(UnitNameError) {
        self.text = text
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: ":-_.\\@".utf8.contains(byte)
            }
        }
        guard allowed, text.utf8.count <= 255, let dot = text.lastIndex(of: "."), dot > text.startIndex,
            Self.types.keys.contains(text[text.index(after: dot)...])
        else { throw UnitNameError(name: text) }
        type = text[text.index(after: dot)...]
    }

    /// The bus interface of the unit's type, if that has a `Result`.
    var interface: String? {
        Self.types[type].flatMap(\.self).map { "org.freedesktop.systemd1.\($0)" }
    }
}
