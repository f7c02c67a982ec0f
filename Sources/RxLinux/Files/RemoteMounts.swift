/// The mounts of network file systems and automounts, to which an access may block until a server answers.
struct RemoteMounts {
    private let points: Set<BytePath>

    /// Reads the current mounts from the kernel, without an access to a server.
    init(_ kind: (String) -> FileSystemKind = FileSystemKind.init(type:)) {
        self.init(MountTable.read().filter { kind($0.type) == .polled })
    }

    init(_ mounts: some Sequence<Mount>) {
        points = Set(mounts.map(\.point))
    }

    /// Returns the mounts that watching a path accesses: the one that it leads into, or those below it. This method
    /// does not access them.
    func touched(by path: BytePath, recursive: Bool) -> [BytePath] {
        if points.isEmpty { return [] }
        let steps = PathSteps(path, until: points)
        if let end = steps.end { return [end] }
        guard recursive, let place = steps.place else { return [] }
        let prefix = place == "/" ? place.bytes : place.bytes + [BytePath.slash]
        return points.filter { $0.bytes.starts(with: prefix) }.sorted()
    }

    /// Returns the mounts that watching for a request accesses.
    func touched(by request: FileRequest) -> [BytePath] {
        Set(request.paths.flatMap { touched(by: $0, recursive: request.recursive) }).sorted()
    }
}
