import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Every file has a unique name, so that the changes of each can be accounted for: none is invented, none is lost, and
/// each can follow those emitted before.
@Suite(.balanced, .serialized) struct FileLedgerTests {
    @Test(arguments: 0..<12) func everyFileIsAccountedFor(run: Int) async throws {
        try await check(pauses: run % 2 == 1)
    }

    /// Changes that settle together are emitted in an order in which they can have happened.
    @Test(arguments: [1, 5, 40, 200]) func settledChangesFollowFromEarlierOnes(milliseconds: Int) async throws {
        try await check(pauses: milliseconds != 5, settle: .milliseconds(milliseconds))
    }

    /// Events are lost repeatedly.
    @Test(arguments: 0..<3) func changesAreAccountedForWhenEventsAreLost(run: Int) async throws {
        let limit = SystemLimit("max_queued_events", of: 16)
        let changes = try await check(pauses: true)
        if limit != nil { #expect(changes.contains { $0.kind == .overflow }) }
        withExtendedLifetime(limit) {}
    }

    /// There are no watches for some time, so that the tree is polled.
    @Test func changesAreAccountedForWithoutWatches() async throws {
        let limit = Cell<SystemLimit?>(nil)
        try await check(pauses: false) { index, degradations in
            if index == 200 { limit.update { $0 = SystemLimit("max_user_watches", of: 0) } }
            guard index == 500, let limit = limit.value else { return }
            // The watcher may be far behind.
            try await eventually("the tree is not polled") { degradations.value > 0 }
            limit.restore()
        }
    }

    /// - Parameters:
    ///   - before: called before each change, with its index and the number of times that the tree was polled or watched in
    ///     part, for lack of watches.
    @discardableResult
    private func check(
        pauses: Bool, settle: Duration = .zero, before: (Int, Cell<Int>) async throws -> Void = { _, _ in }
    ) async throws -> [FileChange] {
        let folder = Folder()
        folder.makeDirectory("tree")
        // Other processes may have taken the watches, or lowered the limit, for a moment.
        let (watcher, degradations) = (FileWatcher(), Cell(0))
        let subscription = watcher.degradations.subscribe(onNext: { _ in degradations.update { $0 += 1 } })
        defer { subscription.dispose() }
        let watching = try await Watching(folder, ["tree"], watcher: watcher) {
            ($0.settle, $0.period) = (settle, .milliseconds(100))
        }
        let seed = UInt64.random(in: 0 ... .max)
        var random = Seeded(seed)
        var disk = Disk(folder("tree"))
        let core = watching.watcher.queueForTests
        for index in 0..<800 {
            if pauses, index % 50 == 0 { core.suspend() }
            try await before(index, degradations)
            disk.change(&random)
            if pauses, index % 50 == 49 { core.resume() }
        }
        let root = folder("tree")
        func ledger() -> Ledger { Ledger(watching.all, root) }
        try await eventually("seed \(seed): \(ledger().difference(to: disk.here)), \(ledger().errors)") {
            ledger().here == disk.here
        }
        let last = ledger()
        #expect(last.errors == [], "seed \(seed)")
        #expect(disk.everMade.count > 100, "seed \(seed)")
        #expect(last.everKnown.subtracting(disk.everMade) == [], "seed \(seed)")
        // A comparison finds the last state only.
        let isEachReported = degradations.value == 0 && !watching.all.contains { $0.kind == .overflow }
        if isEachReported { #expect(last.disorder == [], "seed \(seed)") }
        if isEachReported, settle == .zero {
            #expect(disk.madeInRoot.subtracting(last.everKnown) == [], "seed \(seed)")
        }
        return watching.all
    }
}

/// A tree in which each file and each directory gets a unique number.
private struct Disk {
    private let root: String
    private(set) var everMade: Set<String> = []
    /// The files that were made in a directory that was watched from the beginning.
    private(set) var madeInRoot: Set<String> = []
    private var directories: [String] = []
    private var files: [String] = []

    init(_ root: String) {
        self.root = root
    }

    /// The names of everything that exists.
    var here: [String] {
        let all = FileManager.default.enumerator(atPath: root)
        var names: [String] = []
        while let path = all?.nextObject() as? String {
            names.append(path.split(separator: "/").last.map(String.init) ?? "")
        }
        return names.sorted()
    }

    mutating func change(_ random: inout Seeded) {
        let place = ([root] + directories).randomElement(using: &random) ?? root
        let path = "\(place)/\(everMade.count)"
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9: write(path, in: place)
        case 9..<12:
            guard mkdir(path, 0o700) == 0 else { return }
            everMade.insert(String(everMade.count))
            directories.append(path)
        case 12..<15:
            // Moved, with its number.
            guard let file = files.randomElement(using: &random) else { return }
            let name = file.split(separator: "/").last ?? ""
            if rename(file, "\(place)/\(name)") == 0 { replace(file, "\(place)/\(name)") }
        case 15..<17:
            guard let directory = directories.randomElement(using: &random) else { return }
            let name = directory.split(separator: "/").last ?? ""
            if rename(directory, "\(place)/\(name)") == 0 { replace(directory, "\(place)/\(name)") }
        case 17..<19:
            guard let file = files.randomElement(using: &random) else { return }
            unlink(file)
            files.removeAll { $0 == file }
        default:
            guard let directory = directories.randomElement(using: &random) else { return }
            try? FileManager.default.removeItem(atPath: directory)
            func isLeft(_ path: String) -> Bool { path != directory && !path.hasPrefix(directory + "/") }
            files = files.filter(isLeft)
            directories = directories.filter(isLeft)
        }
    }

    private mutating func write(_ path: String, in place: String) {
        guard let file = fopen(path, "w") else { return }
        fputs("x", file)
        fclose(file)
        if place == root { madeInRoot.insert(String(everMade.count)) }
        everMade.insert(String(everMade.count))
        files.append(path)
    }

    /// Replaces one path, and all paths below it, with another.
    private mutating func replace(_ old: String, _ new: String) {
        func moved(_ path: String) -> String {
            path == old || path.hasPrefix(old + "/") ? new + path.dropFirst(old.count) : path
        }
        files = files.map(moved)
        directories = directories.map(moved)
    }
}

/// The state of a reader that applies each change, and the changes that do not follow from those before.
private struct Ledger {
    /// The known paths.
    private(set) var known: Set<String> = []
    /// The contents of removed directories.
    private var goneWithOthers: Set<String> = []
    /// The names that were ever emitted as existing.
    private(set) var everKnown: Set<String> = []
    private(set) var errors: [String] = []
    /// The directories whose removal was emitted before a change of their contents.
    private(set) var disorder: [String] = []

    init(_ changes: [FileChange], _ root: String) {
        for change in changes where change.path.bytes.count > root.utf8.count { note(change) }
    }

    /// The names of everything that is known to exist.
    var here: [String] { known.map(Ledger.name).sorted() }

    /// The names that are known and do not exist, and the other way round.
    func difference(to there: [String]) -> String {
        let known = Set(here)
        return "too many \(known.subtracting(there).sorted()), missing \(Set(there).subtracting(known).sorted())"
    }

    private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

    private mutating func note(_ change: FileChange) {
        let path = "\(change.path)"
        switch change.kind {
        case .created:
            if !known.insert(path).inserted { errors.append("\(path) is created twice") }
            everKnown.insert(Ledger.name(path))
        case .removed:
            let isGone = goneWithOthers.remove(path) != nil
            if known.remove(path) == nil, !isGone { errors.append("\(path) is removed, which is not there") }
            // It may be emitted before its contents: they are removed with it.
            let within = known.filter { $0.hasPrefix(path + "/") }
            known.subtract(within)
            goneWithOthers.formUnion(within)
            if !within.isEmpty { disorder.append("\(path) is removed before \(within.sorted())") }
        case .moved:
            let from = change.from.map { "\($0)" } ?? ""
            // Emitted after the removal of the directory that it left.
            let late = goneWithOthers.filter { $0 == from || $0.hasPrefix(from + "/") }
            goneWithOthers.subtract(late)
            known.formUnion(late)
            if !late.isEmpty { disorder.append("\(path) is moved from \(from) after that was removed") }
            if !known.contains(from) { errors.append("\(path) comes from \(from), where nothing is") }
            if known.contains(path) { errors.append("\(path) comes where something is") }
            let moved = known.filter { $0 == from || $0.hasPrefix(from + "/") }
            known.subtract(moved)
            known.formUnion(moved.map { path + $0.dropFirst(from.count) })
        case .modified:
            if !known.contains(path) { errors.append("\(path) is modified, which is not there") }
            // Another file replaced it, and is no longer at its earlier path.
            if let from = change.from, known.remove("\(from)") == nil {
                errors.append("\(path) is replaced by \(from), where nothing is")
            }
        case .attributes, .overflow, .closed: break
        }
    }
}
