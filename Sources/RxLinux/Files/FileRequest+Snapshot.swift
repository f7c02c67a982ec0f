extension FileRequest {
    /// Returns the request with absolute paths.
    func absolute(from directory: BytePath) -> FileRequest {
        var request = self
        request.paths = paths.map { $0.absolute(from: directory) }
        return request
    }

    func write(to snapshot: inout WatchSnapshotWriter) {
        snapshot.put(each: paths) { $0.put($1.bytes) }
        snapshot.put(recursive)
        snapshot.put(each: include) { $0.put($1.bytes) }
        snapshot.put(each: exclude) { $0.put($1.bytes) }
        snapshot.put(each: kinds) { $0.put($1.number) }
        snapshot.put(existing)
        snapshot.put(settle)
        snapshot.put(method == .polling)
        snapshot.put(period)
    }

    init(from snapshot: inout WatchSnapshotReader) throws(WatchSnapshotReader.Corruption) {
        let path = { (snapshot: inout WatchSnapshotReader) throws(WatchSnapshotReader.Corruption) in
            BytePath(bytes: try snapshot.bytes())
        }
        let glob = { (snapshot: inout WatchSnapshotReader) throws(WatchSnapshotReader.Corruption) in
            Glob(bytes: try snapshot.bytes())
        }
        self.init(
            try snapshot.list(path), recursive: try snapshot.bool(), include: try snapshot.list(glob),
            exclude: try snapshot.list(glob),
            kinds: Set(try snapshot.list { t throws(WatchSnapshotReader.Corruption) in try FileChange.Kind(from: &t) }),
            existing: try snapshot.bool(), settle: try snapshot.duration(),
            method: try snapshot.bool() ? .polling : .automatic,
            period: try snapshot.duration())
    }
}

extension FileChange {
    func write(to snapshot: inout WatchSnapshotWriter) {
        snapshot.put(kind.number)
        snapshot.put(path.bytes)
        snapshot.put(from) { $0.put($1.bytes) }
        for flag in [isDirectory, isSynthetic, isExisting] { snapshot.put(flag) }
        snapshot.put(size) { $0.put($1) }
        snapshot.put(modified) { $0.put($1) }
    }

    init(from snapshot: inout WatchSnapshotReader) throws(WatchSnapshotReader.Corruption) {
        self.init(
            try Kind(from: &snapshot), BytePath(bytes: try snapshot.bytes()),
            from: try snapshot.optional { t throws(WatchSnapshotReader.Corruption) in BytePath(bytes: try t.bytes()) },
            isDirectory: try snapshot.bool(), isSynthetic: try snapshot.bool(), isExisting: try snapshot.bool())
        size = try snapshot.optional { t throws(WatchSnapshotReader.Corruption) in try t.integer() }
        modified = try snapshot.optional { t throws(WatchSnapshotReader.Corruption) in try t.integer() }
    }
}

extension FileChange.Kind {
    fileprivate var number: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }

    fileprivate init(from snapshot: inout WatchSnapshotReader) throws(WatchSnapshotReader.Corruption) {
        let number = Int(try snapshot.integer(UInt8.self))
        guard number < Self.allCases.count else { throw WatchSnapshotReader.Corruption() }
        self = Self.allCases[number]
    }
}

extension WatchSnapshotWriter {
    mutating func put(_ duration: Duration) {
        put(duration.components.seconds)
        put(duration.components.attoseconds)
    }
}

extension WatchSnapshotReader {
    mutating func duration() throws(Corruption) -> Duration {
        Duration(secondsComponent: try integer(), attosecondsComponent: try integer())
    }
}
