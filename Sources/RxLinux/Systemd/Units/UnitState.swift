/// What the service manager says of a unit.
public struct UnitState: Sendable, Hashable {
    /// The unit's name.
    public var unit: String
    /// Whether there is such a unit: `loaded`, `not-found`, `masked`, `error` and so on.
    public var load: String
    /// `active`, `inactive`, `activating`, `deactivating`, `failed`, `reloading` and so on.
    public var active: String
    /// The same in terms of the unit's type, such as `running` or `dead` for a service.
    public var sub: String
    /// How it ended last, such as `success`, `exit-code`, `signal` or `timeout`; `nil` for the types of unit that have
    /// no result, such as targets.
    public var result: String?
    /// The number of the job that waits or is being done for the unit.
    public var job: UInt32?

    /// A state in full.
    public init(unit: String, load: String, active: String, sub: String, result: String?, job: UInt32?) {
        self.unit = unit
        self.load = load
        self.active = active
        self.sub = sub
        self.result = result
        self.job = job
    }
}

/// What the service manager can be asked to do with a unit.
public enum UnitAction: String, Sendable, Hashable, CaseIterable {
    /// Starts it, unless it runs.
    case start = "StartUnit"
    /// Stops it.
    case stop = "StopUnit"
    /// Stops and starts it; where it does not run, starts it.
    case restart = "RestartUnit"
    /// Makes it read its configuration again.
    case reload = "ReloadUnit"
    /// The same where it can, else restarts it.
    case reloadOrRestart = "ReloadOrRestartUnit"
    /// Restarts it where it runs.
    case tryRestart = "TryRestartUnit"
}

/// What became of a job of the service manager.
public struct UnitJobResult: Sendable, Hashable {
    /// The unit.
    public var unit: String
    /// The job's number.
    public var job: UInt32
    /// `done`, `failed`, `canceled`, `timeout`, `dependency`, `skipped` and so on.
    public var result: String

    /// This result of a job.
    public init(unit: String, job: UInt32, result: String) {
        self.unit = unit
        self.job = job
        self.result = result
    }

    /// Whether it was done.
    public var isDone: Bool { result == "done" }
}

/// A unit's name that cannot be one.
public struct UnitNameError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// What is wrong, and what would be right.
    public var description: String {
        "'\(name)' is no name of a unit: it ends in its type, such as .service or .timer, and has letters, digits and "
            + ":-_.\\@ in it"
    }
}

/// A unit's name, taken apart.
struct UnitName: Sendable, Hashable {
    let text: String
    private let type: Substring

    /// The types of unit, and the bus interfaces of those that have a result.
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

    /// The interface of its type, where that has a `Result`.
    var interface: String? {
        Self.types[type].flatMap(\.self).map { "org.freedesktop.systemd1.\($0)" }
    }
}
