extension FileRequest {
    /// The same for whoever is in another directory.
    func absolute(from directory: BytePath) -> FileRequest {
        var request = self
        request.paths = paths.map { $0.absolute(from: directory) }
        return request
    }

    func write(to table: inout TableWriter) {
        table.put(each: paths) { $0.put($1.bytes) }
        table.put(recursive)
        table.put(each: include) { $0.put(Array($1.description.utf8)) }
        table.put(each: exclude) { $0.put(Array($1.description.utf8)) }
        table.put(each: kinds) { $0.put($1.number) }
        table.put(settle)
        table.put(method == .polling)
        table.put(period)
    }

    init(from table: inout TableReader) throws(TableReader.Corruption) {
        let path = { (table: inout TableReader) throws(TableReader.Corruption) in
            BytePath(bytes: try table.bytes())
        }
        let glob = { (table: inout TableReader) throws(TableReader.Corruption) in
            Glob(String(decoding: try table.bytes(), as: UTF8.self))
        }
        self.init(
            try table.list(path), recursive: try table.bool(), include: try table.list(glob),
            exclude: try table.list(glob),
            kinds: Set(try table.list { t throws(TableReader.Corruption) in try FileChange.Kind(from: &t) }),
            settle: try table.duration(), method: try table.bool() ? .polling : .automatic,
            period: try table.duration())
    }
}

extension FileChange {
    func write(to table: inout TableWriter) {
        table.put(kind.number)
        table.put(path.bytes)
        table.put(from) { $0.put($1.bytes) }
        table.put(isDirectory)
        table.put(isSynthetic)
    }

    init(from table: inout TableReader) throws(TableReader.Corruption) {
        self.init(
            try Kind(from: &table), BytePath(bytes: try table.bytes()),
            from: try table.optional { t throws(TableReader.Corruption) in BytePath(bytes: try t.bytes()) },
            isDirectory: try table.bool(), isSynthetic: try table.bool())
    }
}

extension FileChange.Kind {
    fileprivate var number: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }

    fileprivate init(from table: inout TableReader) throws(TableReader.Corruption) {
        let number = Int(try table.integer(UInt8.self))
        guard number < Self.allCases.count else { throw TableReader.Corruption() }
        self = Self.allCases[number]
    }
}

extension TableWriter {
    mutating func put(_ duration: Duration) {
        put(duration.components.seconds)
        put(duration.components.attoseconds)
    }
}

extension TableReader {
    mutating func duration() throws(Corruption) -> Duration {
        Duration(secondsComponent: try integer(), attosecondsComponent: try integer())
    }
}
