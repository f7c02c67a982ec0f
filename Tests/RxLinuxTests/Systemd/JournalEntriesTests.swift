import Dispatch
import FoundationEssentials
import Glibc
import RxEngine
import RxLinux
import TestSupport
import Testing

extension TestJournal {
    /// Adds entries to a file.
    fileprivate func add(_ entries: [[JournalField]], at first: Int, to file: String = "a") throws {
        try add(entries.map { $0.map { ($0.name, $0.value) } }, at: first, to: file)
    }
}

@Suite(.balanced) struct JournalEntriesTests {
    private func messages(_ entries: [JournalEntry]) -> [String] {
        entries.map { $0["MESSAGE"] ?? "-" }
    }

    /// All entries that match a query now.
    private func read(_ query: JournalQuery) async throws -> [JournalEntry] {
        var query = query
        query.follows = false
        return try await Journal.entries(query).toArray().asObservable().asSingleValue() ?? []
    }

    @Test func entriesAreReadCompletelyAndInOrder() async throws {
        let journal = TestJournal()
        let binary = (0...255).map { UInt8($0) }
        try journal.add(
            [
                [JournalField("MESSAGE", "one"), JournalField("X", "1"), JournalField("X", "2")],
                [JournalField("MESSAGE", "two\nlines"), JournalField("BINARY", bytes: binary), JournalField("E", "")],
            ], at: 5)
        let entries = try await read(JournalQuery(in: .directory(journal.path), from: .beginning))
        try #require(entries.count == 2)
        #expect(messages(entries) == ["one", "two\nlines"])
        #expect(Set(entries[0].fields.filter { $0.name == "X" }.map(\.value)) == [[0x31], [0x32]])
        #expect(entries[1].bytes(of: "BINARY") == binary && entries[1]["E"] == "" && entries[1]["NONE"] == nil)
        #expect(entries[0].realtime == 1_700_000_005_000_000 && entries[0].monotonic == 6_000_000)
        #expect(entries[0].boot == "0123456789abcdef0123456789abcdef")
        #expect(entries[0].time == Date(timeIntervalSince1970: 1_700_000_005))
        #expect(entries.allSatisfy { $0.truncated.isEmpty } && entries[0].cursor != entries[1].cursor)
    }

    @Test(
        arguments: [
            ([], ["0 a", "1 b", "2 a", "3 c", "4 a"]),
            ([("_SYSTEMD_UNIT", "a")], ["0 a", "2 a", "4 a"]),
            // The same field: either value matches.
            ([("_SYSTEMD_UNIT", "a"), ("_SYSTEMD_UNIT", "b")], ["0 a", "1 b", "2 a", "4 a"]),
            // Different fields: both must match.
            ([("_SYSTEMD_UNIT", "a"), ("EVEN", "1")], ["0 a", "2 a", "4 a"]),
            ([("_SYSTEMD_UNIT", "b"), ("EVEN", "1")], []),
            (
                [("_SYSTEMD_UNIT", "a"), ("_SYSTEMD_UNIT", "c"), ("EVEN", "0"), ("EVEN", "1")],
                ["0 a", "2 a", "3 c", "4 a"]
            ),
            ([("NONE", "x")], []),
        ] as [([(String, String)], [String])])
    func fieldsMatch(matches: [(String, String)], expected: [String]) async throws {
        let journal = TestJournal()
        try journal.add(
            ["a", "b", "a", "c", "a"].enumerated().map { index, unit in
                [
                    JournalField("MESSAGE", "\(index) \(unit)"), JournalField("_SYSTEMD_UNIT", unit),
                    JournalField("EVEN", index % 2 == 0 ? "1" : "0"),
                ]
            }, at: 0)
        let query = JournalQuery(
            matches.map { JournalField($0.0, $0.1) }, in: .directory(journal.path), from: .beginning)
        #expect(messages(try await read(query)) == expected)
    }

    @Test func startPositions() async throws {
        let journal = TestJournal()
        try journal.add((0..<10).map { "\($0)" })
        let all = try await read(JournalQuery(in: .directory(journal.path), from: .beginning))
        try #require(all.count == 10)
        let table: [(JournalQuery.Start, ClosedRange<Int>?)] = [
            (.beginning, 0...9), (.now, nil), (.last(0), nil), (.last(1), 9...9), (.last(3), 7...9), (.last(10), 0...9),
            (.last(11), 0...9), (.last(.max), 0...9), (.last(-5), nil), (.after(cursor: all[3].cursor), 4...9),
            (.after(cursor: all[9].cursor), nil), (.after(cursor: all[0].cursor), 1...9),
            (.since(all[4].time), 4...9), (.since(Date(timeIntervalSince1970: 0)), 0...9),
            (.since(Date(timeIntervalSince1970: -1e9)), 0...9), (.since(all[9].time.addingTimeInterval(1)), nil),
        ]
        for (start, expected) in table {
            let entries = try await read(JournalQuery(in: .directory(journal.path), from: start))
            #expect(messages(entries) == (expected?.map { "\($0)" } ?? []), "\(start)")
        }
        let files = try await read(JournalQuery(in: .files(["\(journal.path)/a.journal"]), from: .last(2)))
        #expect(messages(files) == ["8", "9"])
        let matching = JournalQuery([JournalField("MESSAGE", "2")], in: .directory(journal.path), from: .last(5))
        #expect(messages(try await read(matching)) == ["2"])
    }

    /// The cursor after which a reading starts leads another reading to the same place, even at the end.
    @Test func startAndCatchingUpAreReported() async throws {
        let journal = TestJournal()
        func readings(_ start: JournalQuery.Start) async throws -> [JournalReading] {
            let query = JournalQuery(
                [JournalField("_SYSTEMD_UNIT", "a.service")], in: .directory(journal.path), from: start, follows: false)
            return try await Journal.readings(query).toArray().asObservable().asSingleValue() ?? []
        }
        func words(_ readings: [JournalReading]) -> [String] {
            readings.map { reading in
                switch reading {
                case .started(_, let isExact): isExact ? "started" : "gone"
                case .entry(let entry): entry["MESSAGE"] ?? "-"
                case .caughtUp: "caught up"
                case .barrier: "barrier"
                }
            }
        }
        func cursor(_ start: JournalQuery.Start) async throws -> String {
            guard case .started(let cursor, _) = try await readings(start).first else { return "" }
            return cursor
        }
        let bare = try await cursor(.now)
        try journal.add(["x"], unit: "b.service", to: "old")
        let empty = try await cursor(.now)
        #expect(words(try await readings(.now)) == ["started", "caught up"])
        try journal.add(["0", "1"], at: 1, to: "old")
        let last = try await cursor(.now)
        try journal.add(["2", "3"], at: 3)
        for (start, expected) in [(bare, ["0", "1", "2", "3"]), (empty, ["0", "1", "2", "3"]), (last, ["2", "3"])] {
            #expect(words(try await readings(.after(cursor: start))) == ["started"] + expected + ["caught up"])
            #expect(try await cursor(.after(cursor: start)) == start)
        }
        let beginning = try await cursor(.beginning)
        #expect(words(try await readings(.after(cursor: beginning))).count == 6)
        journal.remove("old")
        #expect(words(try await readings(.after(cursor: last))) == ["gone", "2", "3", "caught up"])
        let end = try await cursor(.now)
        journal.remove("a")
        #expect(words(try await readings(.after(cursor: end))) == ["gone", "caught up"])
    }

    /// A barrier comes after all entries that were written before it was passed.
    @Test func barrierFollowsEntries() async throws {
        let journal = TestJournal()
        try journal.add(["first"])
        let (barriers, count) = (BarrierStreams(), Cell(0))
        let query = JournalQuery(in: .directory(journal.path), from: .beginning)
        let subscription = Journal.readings(query, barriers: barriers).subscribe(onNext: { reading in
            if case .entry = reading { count.update { $0 += 1 } }
        })
        try await eventually("the first entry is read") { count.value == 1 }
        for round in 1...5 {
            try journal.add((0..<1000).map { "\($0)" }, at: round * 1000, to: "more-\(round)")
            let passed = Cell(0)
            barriers.pass(SyncBarrier { passed.update { $0 = count.value } })
            try await eventually("the barrier is passed") { passed.value > 0 }
            #expect(passed.value == 1 + round * 1000)
        }
        let isReleased = Cell(false)
        subscription.dispose()
        barriers.pass(SyncBarrier { isReleased.update { $0 = true } })
        try await eventually("the barrier is released") { isReleased.value }
    }

    @Test func longValuesAreTruncated() async throws {
        let journal = TestJournal()
        let long = (0..<300_000).map { _ in UInt8.random(in: 0...255) }
        let even = [UInt8](repeating: 0x41, count: 200_000)
        try journal.add(
            [
                [
                    JournalField("MESSAGE", "x"), JournalField("LONG", bytes: long), JournalField("EVEN", bytes: even),
                    JournalField("EXACT", bytes: Array(even.prefix(1000))),
                ]
            ], at: 0)
        for limit in [0, 1, 1000, 65536, 1 << 20] {
            let query = JournalQuery(in: .directory(journal.path), from: .beginning, valueLimit: limit)
            let entry = try #require(try await read(query).first)
            #expect(entry.bytes(of: "LONG") == Array(long.prefix(limit)))
            #expect(entry.bytes(of: "EVEN") == Array(even.prefix(limit)))
            #expect(entry.truncated.contains("LONG") == (limit < 300_000))
            #expect(entry.truncated.contains("EVEN") == (limit < 200_000))
            #expect(entry.truncated.contains("EXACT") == (limit < 1000))
        }
    }

    /// An entry may have a thousand fields, each of which is short enough.
    @Test func valuesOfEntryAreTruncatedToOneMiB() async throws {
        let journal = TestJournal()
        let long = [UInt8](repeating: 0x41, count: 300_000)
        let fields = (0..<5).map { JournalField("F\($0)", bytes: long.dropLast($0) + []) }
        try journal.add([[JournalField("MESSAGE", "x")] + fields, [JournalField("MESSAGE", "next")]], at: 0)
        let entries = try await read(JournalQuery(in: .directory(journal.path), from: .beginning, valueLimit: 400_000))
        #expect(messages(entries).last == "next" && entries.count == 2)
        let entry = try #require(entries.first)
        // The name of a field is there without a value, too.
        let size = entry.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
        #expect(((1 << 20)...(1 << 20) + 2).contains(size))
        let counts = entry.fields.filter { $0.name.hasPrefix("F") }.map(\.value.count)
        #expect(counts.count == 5 && counts.count { $0 > 299_000 } == 3 && counts.contains(0))
        #expect(entry.truncated.filter { $0.hasPrefix("F") }.count == 2)
    }

    @Test func entriesAreFollowed() async throws {
        let journal = TestJournal()
        try journal.add(["old"])
        let log = Cell<[String]>([])
        let queue = DispatchQueue(label: "test")
        let subscription = Journal.entries(JournalQuery(in: .directory(journal.path)), on: queue)
            .subscribe(onNext: { entry in log.append(entry["MESSAGE"] ?? "-") })
        try await settled(queue)
        for number in 1...5 {
            try journal.add(["\(number)"], at: number)
            try await eventually("the entry is received") { log.value == (1...number).map { "\($0)" } }
        }
        subscription.dispose()
        try journal.add(["late"], at: 9)
        try await settled(queue)
        #expect(log.value.count == 5)
    }

    /// There is no start: neither an entry nor a file, or no entry that matches.
    @Test func emptyJournalIsFollowedFromFirstEntry() async throws {
        for isBare in [true, false] {
            let journal = TestJournal()
            if !isBare { try journal.add(["other"], unit: "b.service") }
            let log = Cell<[String]>([])
            let queue = DispatchQueue(label: "test")
            let query = JournalQuery([JournalField("_SYSTEMD_UNIT", "a.service")], in: .directory(journal.path))
            let subscription = Journal.entries(query, on: queue)
                .subscribe(onNext: { entry in log.append(entry["MESSAGE"] ?? "-") })
            try await settled(queue)
            try journal.add(["first", "second"], at: 1)
            try await eventually("both entries are received") { log.value == ["first", "second"] }
            subscription.dispose()
        }
    }

    @Test func rotationAndVacuumingLoseNothing() async throws {
        let journal = TestJournal()
        try journal.add(["0", "1"])
        let log = Cell<[String]>([])
        let last = Cell<String?>(nil)
        let queue = DispatchQueue(label: "test")
        let subscription = Journal.entries(JournalQuery(in: .directory(journal.path), from: .beginning), on: queue)
            .subscribe(
                onNext: { entry in
                    log.append(entry["MESSAGE"] ?? "-")
                    last.update { $0 = entry.cursor }
                }, onError: { error in log.append("\(error)") })
        try await eventually("the existing entries are received") { log.value == ["0", "1"] }
        for round in 1...5 {
            // Another file continues, and the one before is removed, partly unread.
            try journal.add(["\(2 * round)", "\(2 * round + 1)"], at: 2 * round, to: "file\(round)")
            try await eventually("it continues in round \(round)") {
                log.value == (0...(2 * round + 1)).map { "\($0)" }
            }
            journal.remove(round == 1 ? "a" : "file\(round - 1)")
        }
        subscription.dispose()

        // The saved place no longer exists: later entries are emitted.
        let cursor = try #require(last.value)
        try journal.add(["20", "21"], at: 20, to: "other")
        journal.remove("file5")
        let rest = try await read(JournalQuery(in: .directory(journal.path), from: .after(cursor: cursor)))
        #expect(messages(rest) == ["20", "21"])
    }

    @Test func savedCursorContinues() async throws {
        let journal = TestJournal()
        try journal.add((0..<600).map { "\($0)" })
        var query = JournalQuery(in: .directory(journal.path), from: .beginning)
        var received: [String] = []
        while true {
            query.follows = false
            let some = try await Journal.entries(query).take(70).toArray().asObservable().asSingleValue() ?? []
            guard let last = some.last else { break }
            received += messages(some)
            query.start = .after(cursor: last.cursor)
        }
        #expect(received == (0..<600).map { "\($0)" })
    }

    /// A file that is truncated or overwritten in the middle: the readable entries are read, and nothing else happens.
    @Test func damagedFilesAreTolerated() async throws {
        for place in stride(from: 0, to: 200_000, by: 9973) {
            let journal = TestJournal()
            try journal.add((0..<20).map { "\($0)" })
            try journal.add(["whole"], at: 50, to: "b")
            let file = open("\(journal.path)/a.journal", O_RDWR | O_CLOEXEC)
            let noise = (0..<64).map { _ in UInt8.random(in: 0...255) }
            pwrite(file, noise, noise.count, off_t(place))
            if place % 2 == 0 { ftruncate(file, off_t(place)) }
            close(file)
            let found = try? await read(JournalQuery(in: .directory(journal.path), from: .beginning))
            #expect(found.map { $0.count <= 21 } ?? true)
        }
    }

    @Test(arguments: [
        (
            JournalQuery(in: .directory("/nonexistent")),
            "opening the journal in '/nonexistent': No such file or directory"
        ),
        (
            JournalQuery(in: .files(["/nonexistent"])),
            "opening the journal files [\"/nonexistent\"]: No such file or directory"
        ),
        (JournalQuery([JournalField("", "x")], in: .directory("/tmp")), "matching  in the journal: Invalid argument"),
        (
            JournalQuery([JournalField("a b", "x")], in: .directory("/tmp")),
            "matching a b in the journal: Invalid argument"
        ),
        (
            JournalQuery(in: .directory("/tmp"), from: .after(cursor: "nonsense")),
            "looking for the cursor 'nonsense' in the journal: Invalid argument"
        ),
    ])
    func invalidQueryIsError(query: JournalQuery, words: String) async throws {
        let error = await #expect(throws: SystemError.self) { try await read(query) }
        #expect(error?.description == words)
    }

    @Test func unreadableJournalIsError() async throws {
        let journal = TestJournal()
        try journal.add(["secret"])
        chmod(journal.path, 0o755)
        chmod("\(journal.path)/a.journal", 0o600)
        await #expect(processExitsWith: .success) { [path = journal.path as String] in
            if geteuid() == 0 { #expect(setgroups(0, nil) == 0 && setgid(65534) == 0 && setuid(65534) == 0) }
            let words = Cell("")
            let subscription = Journal.entries(JournalQuery(in: .directory(path)))
                .subscribe(onError: { error in words.update { $0 = "\(error)" } })
            try await eventually("the sequence fails") { !words.value.isEmpty }
            subscription.dispose()
            #expect(
                words.value == "reading the journal in '\(path)' (the members of the group systemd-journal may): "
                    + "Permission denied")
        }
    }

    @Test func failsWithoutDescriptor() async throws {
        let journal = TestJournal()
        try journal.add(["x"])
        await #expect(processExitsWith: .success) { [path = journal.path as String] in
            let words = Cell("")
            try await withoutDescriptors {
                let subscription = Journal.entries(JournalQuery(in: .directory(path)))
                    .subscribe(onError: { error in words.update { $0 = "\(error)" } })
                try await eventually("the sequence fails") { !words.value.isEmpty }
                subscription.dispose()
            }
            #expect(words.value == "opening the journal in '\(path)': Too many open files")
        }
    }

    @Test func disposeClosesDescriptors() async throws {
        let journal = TestJournal()
        try journal.add(["x"])
        let before = ProcessStatistics.current().descriptors
        let subscriptions = (0..<30).map { _ in Journal.entries(JournalQuery(in: .directory(journal.path))).subscribe()
        }
        try await eventually("all descriptors are open") { ProcessStatistics.current().descriptors >= before + 80 }
        for subscription in subscriptions { subscription.dispose() }
        try await eventually("all descriptors are closed") { ProcessStatistics.current().descriptors < before + 25 }
    }

    /// Waits until a queue has run its work.
    private func settled(_ queue: DispatchQueue) async throws {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}
