import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Disks that accept no more writes, if such disks may be mounted.
@Suite(.balanced) struct FileDiskTests {
    /// A small disk in memory, mounted for the life of this object.
    private final class Disk {
        let path: String

        init?(_ folder: Folder, _ options: String) {
            folder.makeDirectory("disk")
            path = folder("disk")
            if mount("rx-disk", path, "tmpfs", 0, options) != 0 { return nil }
        }

        func makeReadOnly() -> Bool { mount("rx-disk", path, "tmpfs", UInt(MS_REMOUNT) | UInt(MS_RDONLY), nil) == 0 }

        var contents: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

        deinit { umount2(path, Int32(MNT_DETACH)) }
    }

    @Test func readOnlyDirectoryIsWatched() async throws {
        let folder = Folder()
        guard let disk = Disk(folder, "size=64k") else { return }
        folder.write("disk/f")
        folder.write("disk/log", "line\n")
        try #require(disk.makeReadOnly())
        let watching = try await Watching(folder, ["disk", "disk/f"])
        #expect(watching.watcher.degradedPaths.isEmpty)
        #expect(throws: SystemError(EROFS, "saving the snapshot of watched files in \(folder("disk/snapshot.new"))")) {
            try watching.watcher.save(to: BytePath(folder("disk/snapshot")))
        }
        for name in ["log", "new"] {
            let error = #expect(throws: SystemError.self) {
                try FileAppender(folder("disk/\(name)")).append(Array("more".utf8))
            }
            #expect(error?.number == EROFS)
        }
        #expect(disk.contents == ["f", "log"])
    }

    /// The earlier snapshot remains, and nothing of the one that did not fit.
    @Test func snapshotThatDoesNotFitIsNotSaved() async throws {
        let folder = Folder()
        guard let disk = Disk(folder, "size=16k") else { return }
        let watching = try await Watching(folder)
        let snapshot = BytePath(folder("disk/snapshot"))
        try watching.watcher.save(to: snapshot)
        let before = try #require(FileHandover(savedAt: snapshot)?.take()?.bytes)
        for index in 0..<300 { folder.write("\(String(repeating: "x", count: 200))\(index)") }
        try await eventually("all files are emitted") { watching.all.count { $0.kind == .created } >= 300 }
        #expect(throws: SystemError(ENOSPC, "writing the snapshot of watched files")) {
            try watching.watcher.save(to: snapshot)
        }
        #expect(FileHandover(savedAt: snapshot)?.take()?.bytes == before)
        #expect(throws: SystemError.self) { try watching.watcher.save(to: snapshot) }
        // With the changes emitted since, however often saving is tried.
        #expect(disk.contents == ["snapshot", "snapshot.changes.1", "snapshot.changes.2"])
    }
}
