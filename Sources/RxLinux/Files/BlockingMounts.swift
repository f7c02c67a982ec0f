/// The mounts to which an access may block while the rest of the host answers.
struct BlockingMounts: Equatable {
    /// The groups of the mounts by mount points. The mounts of a group block together; it is one of their points.
    private let groups: [BytePath: BytePath]

    /// No mounts.
    static let none = BlockingMounts(groups: [:])

    private init(groups: [BytePath: BytePath]) {
        self.groups = groups
    }

    /// Selects the network file systems and automounts, of which each is a group, and the local file systems that are on
    /// another device than the root directory: the mounts of a device are a group.
    init(among mounts: some Collection<Mount>, _ kind: (String) -> MountKind) {
        let rootDevices = Set(mounts.filter { $0.point == "/" }.map(\.device))
        let disks = mounts.filter { kind($0.type) == .disk && !rootDevices.contains($0.device) }
        // The least point names the group, so that the next process finds the same name.
        let names = Dictionary(disks.map { ($0.device, $0.point) }, uniquingKeysWith: min)
        var groups = Dictionary(disks.map { ($0.point, names[$0.device] ?? $0.point) }, uniquingKeysWith: min)
        for mount in mounts where kind(mount.type) == .server { groups[mount.point] = mount.point }
        self.init(groups: groups)
    }

    /// Reads the network file systems and automounts from the kernel, without an access to a server.
    static func remote() -> BlockingMounts {
        let points = MountTable.read().filter { MountKind(type: $0.type) == .server }.map(\.point)
        return BlockingMounts(groups: Dictionary(points.map { ($0, $0) }, uniquingKeysWith: min))
    }

    /// Whether accessing a path accesses none of the mounts.
    func isLocal(_ path: BytePath) -> Bool { touched(by: path, recursive: false).isEmpty }

    /// Returns the groups of the mounts that watching a path accesses: those that it leads through, and those below it.
    /// This method accesses no mount of other groups than `accessible`, and supposes that there are no symbolic links
    /// there.
    func touched(by path: BytePath, recursive: Bool, accessible: Set<BytePath> = []) -> Set<BytePath> {
        if groups.isEmpty { return [] }
        let steps = steps(of: path, accessible)
        let touched = Set(steps.all.compactMap { groups[$0.directory.appending(BytePath(bytes: $0.name))] })
        guard let last = steps.end ?? steps.resolved else { return touched }
        return touched.union(
            groups.filter { point, _ in
                last.isBelow(point) || recursive && point.isBelow(last)
            }.values)
    }

    /// Returns the groups of the mounts that watching for a request accesses, as far as they can be found without an
    /// access to mounts of other groups than `accessible`.
    func touched(by request: FileRequest, accessible: Set<BytePath> = []) -> Set<BytePath> {
        request.paths.reduce(into: []) {
            $0.formUnion(touched(by: $1, recursive: request.recursive, accessible: accessible))
        }
    }

    /// Returns the path in a mount of another group than `accessible` to which a path leads, which was not followed
    /// there; `nil` if it leads to none.
    func end(of path: BytePath, accessible: Set<BytePath>) -> BytePath? {
        groups.isEmpty ? nil : steps(of: path, accessible).end
    }

    private func steps(of path: BytePath, _ accessible: Set<BytePath>) -> PathSteps {
        PathSteps(path) { point in groups[point].map { !accessible.contains($0) } ?? false }
    }
}
