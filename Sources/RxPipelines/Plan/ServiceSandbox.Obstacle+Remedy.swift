import RxLinux

extension ServiceSandbox.Restriction {
    /// The directory of the drop-ins of the package.
    static let dropIns = "/usr/share/rxwatchd/drop-ins"

    /// How an administrator allows the service to use the path: the drop-in of the package, if there is one.
    func remedy(for use: PathAccess) -> String {
        switch cause {
        case .home where use != .write: "\(Self.dropIns)/watch-homes.conf makes it readable"
        case .home: "a drop-in with ProtectHome=no allows it, or use another directory"
        case .temporary: "a drop-in with PrivateTmp=no allows it, or use another directory"
        case .devices: "a drop-in with PrivateDevices=no allows it"
        case .readOnly: "a drop-in with ReadWritePaths= and its directory allows it"
        case .other: "a drop-in can change that"
        case .permissions("adm"?) where use == .read: "\(Self.dropIns)/read-logs.conf adds that group"
        case .permissions("systemd-journal"?) where use == .read:
            "\(Self.dropIns)/read-journal.conf adds that group"
        case .permissions(let group?): "a drop-in with SupplementaryGroups=\(group) allows it"
        case .permissions(nil): "change its group or mode, or see \(Self.dropIns)/README"
        }
    }
}
