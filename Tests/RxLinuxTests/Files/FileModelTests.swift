import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Random operations on a real tree, and a view of it that is built from the emitted changes alone: the final view must
/// equal a walk of the tree.
@Suite(.balanced, .serialized) struct FileModelTests {
    @Test(arguments: 0..<12) func viewEqualsTree(run: Int) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        try await check(seed: seed, operations: 400, queue: nil, pauses: run % 2 == 1)
    }

    /// Events are lost repeatedly: with room for 16 of them or, if that cannot be set, by not reading for long.
    @Test(arguments: 0..<6) func viewEqualsTreeWhenEventsAreLost(run: Int) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        let limit = SystemLimit("max_queued_events", of: 16)
        try await check(seed: seed, operations: limit == nil ? 30_000 : 600, queue: 16, pauses: true)
        withExtendedLifetime(limit) {}
    }

    /// In any order of reading: a directory that was read too early is read again when there are no more events.
    @Test(arguments: 0..<20) func viewEqualsTreeWhenEventsAreReadOneByOne(others: Int) async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        // With room for one event with the longest name, which other processes may make in the directory above, and only
        // one of those below.
        let watching = try await Watching(folder, ["tree"], watcher: FileWatcher(resuming: nil, bufferSize: 272))
        let padding = String(repeating: "-", count: 230)
        let (early, late) = ("tree/early\(padding)", "tree/late\(padding)")
        watching.watcher.queueForTests.suspend()
        folder.makeDirectory(early)
        for number in 0..<others { folder.makeDirectory("tree/\(number)" + padding) }
        folder.rename(early, late)
        folder.makeDirectory("\(late)/inside")
        watching.watcher.queueForTests.resume()
        try await eventually("\(watching.lines)") { watching.lines.last == "synthetic created \(late)/inside/" }
    }

    /// A walk may find a directory inside another one before the events of its earlier place are read. An event of this
    /// directory goes to both nodes, and the first may remove the second.
    @Test func removedNodeReceivesNoEvent() async throws {
        let folder = Folder()
        folder.makeDirectory("tree/p")
        let watching = try await Watching(folder, ["tree"])
        let core = watching.watcher.queueForTests
        core.suspend()
        folder.makeDirectory("tree/p/n")
        folder.rename("tree/p/n", "m")
        folder.write("tree/p/n")
        folder.remove("tree/p/n")
        folder.rename("tree/p", "t")
        folder.makeDirectory("tree/p")
        folder.rename("m", "tree/p/n")
        folder.rename("t", "tree/p/n/a")
        folder.write("tree/the-end")
        core.resume()
        try await eventually("the end is received: \(watching.lines)") {
            watching.lines.contains { $0.hasSuffix("created tree/the-end") }
        }
        #expect(!watching.lines.contains { $0.contains(" tree/n") }, "\(watching.lines)")
        let view = View(["p/"], root: folder("tree"))
        try await eventually("\(view.difference(to: RandomTree(folder("tree")).walk(), after: watching.all))") {
            view.after(watching.all) == RandomTree(folder("tree")).walk()
        }
    }

    private func check(seed: UInt64, operations: Int, queue: Int?, pauses: Bool) async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        var random = Seeded(seed)
        var tree = RandomTree(folder("tree"))
        for _ in 0..<30 { tree.change(&random) }
        let watching = try await Watching(folder, ["tree"])
        let view = View(tree.walk(), root: folder("tree"))

        let core = watching.watcher.queueForTests
        for index in 0..<operations {
            if pauses, index % 50 == 0 { core.suspend() }
            tree.change(&random)
            if pauses, index % 50 == 40 { core.resume() }
        }
        if pauses, (operations - 1) % 50 < 40 { core.resume() }
        try await eventually("seed \(seed): \(view.difference(to: tree.walk(), after: watching.all))") {
            watching.watcher.hasHandledAllEvents && view.after(watching.all) == tree.walk()
        }
        if queue != nil { #expect(watching.all.contains { $0.kind == .overflow }, "seed \(seed)") }
    }
}

struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

/// A tree that is changed at random. Few names are used, so that operations collide.
struct RandomTree {
    private let root: String

    init(_ root: String) {
        self.root = root
    }

    func walk() -> Set<String> {
        var found: Set<String> = []
        let all = FileManager.default.enumerator(atPath: root)
        while let name = all?.nextObject() as? String {
            let isDirectory = all?.fileAttributes?[.type] as? FileAttributeType == .typeDirectory
            found.insert(isDirectory ? "\(name)/" : name)
        }
        return found
    }

    mutating func change(_ random: inout Seeded) {
        let (one, other) = (path(&random), path(&random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<3: write(one, "x")
        case 3: write(one, String(repeating: "y", count: Int.random(in: 0..<100, using: &random)))
        case 4..<6: mkdir(one, 0o700)
        case 6: try? FileManager.default.createDirectory(atPath: other + "/a/b/c", withIntermediateDirectories: true)
        case 7..<10: rename(one, other)
        case 10: _ = unlink(one) == 0 || rmdir(one) == 0
        default: try? FileManager.default.removeItem(atPath: one)
        }
    }

    private func path(_ random: inout Seeded) -> String {
        let depth = Int.random(in: 1...4, using: &random)
        return (0..<depth).reduce(root) { path, _ in
            "\(path)/\(["a", "b", "c", "d"].randomElement(using: &random) ?? "a")"
        }
    }

    private func write(_ path: String, _ text: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(text, file)
        fclose(file)
    }
}

/// The paths that a subscriber knows from changes alone.
struct View {
    private let start: Set<String>
    private let root: String

    init(_ start: Set<String>, root: String) {
        self.start = start
        self.root = root
    }

    func after(_ changes: [FileChange]) -> Set<String> {
        var known = start
        func short(_ path: BytePath) -> String { String("\(path)".dropFirst(root.count + 1)) }
        func remove(_ name: String) {
            known.remove(name)
            known = known.filter { !$0.hasPrefix(name + "/") }
        }
        for change in changes {
            let name = short(change.path)
            switch change.kind {
            case .created: known.insert(change.isDirectory ? "\(name)/" : name)
            case .removed: remove(name)
            case .modified: if let from = change.from { remove(short(from)) }
            case .moved:
                guard let from = change.from.map(short) else { continue }
                let moved = known.filter { $0 == from || $0.hasPrefix(from + "/") }
                known.subtract(moved)
                known.formUnion(moved.map { name + $0.dropFirst(from.count) })
            case .attributes, .overflow, .closed: break
            }
        }
        return known
    }

    func difference(to tree: Set<String>, after changes: [FileChange]) -> String {
        let known = after(changes)
        return "missing \(tree.subtracting(known).sorted()), too many \(known.subtracting(tree).sorted())"
    }
}
