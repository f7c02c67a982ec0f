import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Kernel reports at moments that a test cannot produce at will.
@Suite struct WatchedRootTests {
    /// A directory that moved during a walk is known by both names, and the reports of its watch apply to both.
    @Test func moveReportedTwiceLeavesNoDeparture() throws {
        let folder = Folder()
        folder.makeDirectory("a/d/x/y")
        folder.makeDirectory("b/d/x/y")
        let core = FileWatcherCore(nil, 4096, .seconds(1)) { _ in }
        let log = Cell<[String]>([])
        try core.queue.sync {
            let request = FileRequest([BytePath(folder.path)], recursive: true)
            let root = WatchedRoot(BytePath(folder.path), request, 1, core) { change in log.append(folder.line(change))
            }
            core.roots[1] = root
            root.arm()
            let move = InotifyEvent(
                watch: 0, mask: UInt32(IN_MOVED_FROM) | UInt32(IN_ISDIR), cookie: 7, name: Array("x".utf8))
            for name in ["a", "b"] {
                let parent = try #require(root.tree?.find(FileTree.root, Array(name.utf8)))
                root.receive(move, at: try #require(root.tree?.find(parent, Array("d".utf8))))
            }
            root.emitRemovals(before: nil)
            let left = root.tree?.subtree(of: FileTree.root).compactMap { root.tree?.path(of: $0) } ?? []
            #expect(Set(left.map { String(decoding: $0, as: UTF8.self) }) == ["", "a", "b", "a/d", "b/d"])
            core.roots = [:]
        }
        #expect(
            Set(log.value) == ["removed a/d/x/", "removed a/d/x/y/", "removed b/d/x/", "removed b/d/x/y/"])
    }

    /// A node on the move has a placeholder name: its path, truncated there, would lead to the root.
    @Test func movingDirectoryIsNotWalked() throws {
        let folder = Folder()
        folder.makeDirectory("a/x")
        try WatchedRoot.use(of: folder) { root in
            let parent = try #require(root.tree?.find(FileTree.root, Array("a".utf8)))
            let node = try #require(root.tree?.find(parent, Array("x".utf8)))
            root.receive(
                InotifyEvent(
                    watch: 0, mask: UInt32(IN_MOVED_FROM) | UInt32(IN_ISDIR), cookie: 7, name: Array("x".utf8)),
                at: parent)
            root.walk(from: node, emitting: true)
            #expect(root.tree?.subtree(of: node) == [node])
        }
    }
}

extension WatchedRoot {
    /// Calls `body` on the queue of a core with this folder as its only root, which is armed.
    static func use(of folder: Folder, _ body: (WatchedRoot) throws -> Void) throws {
        let core = FileWatcherCore(nil, 4096, .seconds(1)) { _ in }
        try core.queue.sync {
            let request = FileRequest([BytePath(folder.path)], recursive: true)
            let root = WatchedRoot(BytePath(folder.path), request, 1, core)
            core.roots[1] = root
            root.arm()
            try body(root)
            core.roots = [:]
        }
    }
}
