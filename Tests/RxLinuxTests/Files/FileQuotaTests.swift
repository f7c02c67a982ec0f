import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// The memory of the trees of all cores of a watcher.
@Suite(.balanced) struct FileQuotaTests {
    private static let perFile = FileTree.nodeMemory
    private static let perByte = FileTree.nameByteMemory

    /// A directory on the file system in `/dev/shm`, which a watcher can be made to take for a network file system.
    private final class SharedMemory {
        let path: String

        init() throws {
            var template = Array("/dev/shm/rx-test-XXXXXX".utf8CString)
            path = try #require(mkdtemp(&template).map { String(cString: $0) }, "this test needs a tmpfs in /dev/shm")
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// Makes a file, of which the kernel reports nothing but the creation.
        func make(_ name: String) { mkfifo("\(path)/\(name)", 0o600) }
    }

    /// A watcher for which `/dev/shm` is a network file system, so that paths there have another core than others.
    private func watcher() -> FileWatcher {
        let watcher = FileWatcher()
        watcher.setKindOfMount { $0 == "tmpfs" ? .server : .memory }
        return watcher
    }

    private final class Received: Sendable {
        let names = Cell<[String]>([])
        let isArmed = Cell(false)
        let degradations = Cell<Int>(0)
    }

    private func watch(_ watcher: FileWatcher, _ path: String) -> (received: Received, subscription: any Disposable) {
        let received = Received()
        let subscription = watcher.changes(
            FileRequest([BytePath(path)], recursive: true, period: .milliseconds(20)),
            onArmed: { received.isArmed.update { $0 = true } },
            onNotice: { if case .degraded = $0 { received.degradations.update { $0 += 1 } } }
        )
        .subscribe(onNext: { if $0.kind == .created { received.names.append($0.path.name.text) } })
        return (received, subscription)
    }

    @Test func treeCountsNamesAndNodes() {
        var tree = FileTree()
        #expect(tree.memory == Self.perFile)
        let long = [UInt8](repeating: 0x61, count: 255)
        let directory = tree.add(FileTree.root, long, .directory)
        #expect(tree.memory == 2 * Self.perFile + 255 * Self.perByte)
        let file = tree.add(directory, Array("f".utf8), [])
        #expect(tree.memory == 3 * Self.perFile + 256 * Self.perByte)
        tree.move(file, to: FileTree.root, Array("four".utf8))
        #expect(tree.memory == 3 * Self.perFile + 259 * Self.perByte)
        #expect(FileTree(tree.saved)?.memory == tree.memory)
        tree.remove(file)
        tree.remove(directory)
        #expect(tree.memory == Self.perFile)
    }

    /// However files are added, renamed and removed, the array of names takes no more than twice what is in use, and two
    /// snapshots and a copy take the rest of what the tree counts.
    @Test(arguments: [1, 20, 255]) func nameArrayStaysWithinCountedMemory(length: Int) {
        var tree = FileTree()
        var names = 0
        func name(_ number: Int) -> [UInt8] {
            let digits = Array(String(number, radix: 36).utf8)
            return digits + [UInt8](repeating: 0x78, count: max(0, length - digits.count))
        }
        func check() {
            #expect(tree.memory == tree.count * Self.perFile + names * Self.perByte)
            let counted = tree.memory - tree.count * Self.perFile - 3 * names
            let slack = 2 * (FileTree.maximumWaste + 255) + 64
            #expect(tree.nameCapacity <= counted + slack, "\(tree.nameCapacity) of \(names) bytes")
        }
        var nodes: [FileTree.Node] = []
        for number in 0..<20_000 {
            let name = name(number)
            nodes.append(tree.add(FileTree.root, name, []))
            names += name.count
            if number % 97 == 0 { check() }
        }
        for (number, node) in nodes.enumerated() {
            let (old, new) = (tree.name(of: node).count, name(number + 50_000))
            tree.move(node, to: FileTree.root, new)
            names += new.count - old
            if number % 97 == 0 { check() }
        }
        for (number, node) in nodes.dropLast(1_000).enumerated() {
            names -= tree.name(of: node).count
            tree.remove(node)
            if number % 10 != 0 { continue }
            let name = name(number + 99_000)
            _ = tree.add(FileTree.root, name, [])
            names += name.count
        }
        check()
    }

    /// Long names take more of the quota than short ones.
    @Test(arguments: [(1, 16), (255, 2)]) func longNamesCount(length: Int, expected: Int) async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        func name(_ index: Int) -> String {
            String(index, radix: 16) + String(repeating: "x", count: length - 1)
        }
        let watcher = FileWatcher()
        watcher.quota.limit = Self.perFile + 16 * (Self.perFile + Self.perByte)
        let (received, subscription) = watch(watcher, folder("tree"))
        try await eventually("the watch is armed") { received.isArmed.value }
        for index in 0..<16 { folder.write("tree/\(name(index))") }
        let isWhole = expected == 16
        try await eventually("\(received.names.value)") {
            received.names.value.count == expected && (isWhole || received.degradations.value == 1)
        }
        // A name that finds no room is given back after that is reported.
        try await eventually("what is left is counted") {
            watcher.quota.byteCount == Self.perFile + expected * (Self.perFile + Self.perByte * length)
        }
        subscription.dispose()
        try await eventually("the memory is given back") { watcher.quota.byteCount == 0 }
        #expect(received.names.value.count == expected && received.degradations.value == (isWhole ? 0 : 1))
    }

    /// The cores of a watcher have one quota together, and what one of them gives back is there for the other.
    @Test func coresShareBudget() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let memory = try SharedMemory()
        let watcher = watcher()
        watcher.quota.limit = 12 * Self.perFile + 100
        let (local, first) = watch(watcher, folder("tree"))
        let (other, second) = watch(watcher, memory.path)
        try await eventually("both watches are armed") { local.isArmed.value && other.isArmed.value }
        #expect(watcher.quota.byteCount == 2 * Self.perFile)
        for index in 0..<8 { folder.write("tree/\(index)") }
        try await eventually("\(local.names.value)") { local.names.value.count == 8 }
        for index in 0..<3 { memory.make("\(index)") }
        try await eventually("\(other.names.value)") {
            other.names.value.count == 2 && other.degradations.value == 1
        }
        #expect(watcher.quota.byteCount == 12 * Self.perFile + 10 * Self.perByte && local.degradations.value == 0)
        first.dispose()
        try await eventually("the memory is given back") {
            watcher.quota.byteCount == 3 * Self.perFile + 2 * Self.perByte
        }
        memory.make("later")
        try await eventually("\(other.names.value)") { other.names.value.last == "later" }
        second.dispose()
        try await eventually("all memory is given back") { watcher.quota.byteCount == 0 }
    }

    /// A core that ends gives back the memory of all of its roots.
    @Test func memoryEndsWithCore() throws {
        let folder = Folder()
        folder.makeDirectory("d/e")
        let quota = MemoryQuota.forFileTrees()
        var core: FileWatcherCore? = FileWatcherCore(nil, 4096, .seconds(1), sharing: quota) { _ in }
        try #require(core).queue.sync {
            guard let core else { return }
            core.arm(
                core.makeRoot(BytePath(folder.path), FileRequest([BytePath(folder.path)], recursive: true)) { _ in })
        }
        #expect(quota.byteCount == 3 * Self.perFile + 2 * Self.perByte)
        core = nil
        #expect(quota.byteCount == 0)
    }

    /// A root that moves to another core takes its memory along, so that it never counts twice.
    @Test func memoryMovesWithRoot() throws {
        let folder = Folder()
        for index in 0..<10 { folder.write("\(index)") }
        let quota = MemoryQuota.forFileTrees()
        let cores = (0..<2).map { _ in FileWatcherCore(nil, 4096, .seconds(1), sharing: quota) { _ in } }
        let request = FileRequest([BytePath(folder.path)], recursive: true)
        let root = cores[0].queue.sync {
            let root = cores[0].makeRoot(BytePath(folder.path), request) { _ in }
            cores[0].arm(root)
            cores[0].roots = [:]
            return root
        }
        let used = quota.byteCount
        #expect(used == 11 * Self.perFile + 10 * Self.perByte)
        quota.limit = used
        let moved = root.move(to: cores[1], for: request)
        #expect(quota.byteCount == used && root.tree == nil && moved.tree?.count == 11)
        withExtendedLifetime(root) { moved.tree = nil }
        #expect(quota.byteCount == 0)
    }
}
