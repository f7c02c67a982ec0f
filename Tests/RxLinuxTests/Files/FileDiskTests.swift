import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Disks that take nothing more, where such may be mounted.
@Suite(.balanced) struct FileDiskTests {
    /// A small disk in memory, mounted while this lives.
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

    @Test func whatMayOnlyBeReadIsWatchedAndNotWritten() async throws {
        let folder = Folder()
        guard let disk = Disk(folder, "size=64k") else { return }
        folder.write("disk/f")
        folder.write("disk/log", "line\n")
        try #require(disk.makeReadOnly())
        let watching = try await Watching(folder, ["disk", "disk/f"])
        #expect(watching.watcher.degradedPaths.isEmpty)
        #expect(throws: SystemError(EROFS, "saving what is watched in \(folder("disk/snapshot.new"))")) {
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

    /// What was saved before stays, and nothing is left of what did not fit.
    @Test func aTableThatDoesNotFitIsNotSaved() async throws {
        let folder = Folder()
        guard let disk = Disk(folder, "size=16k") else { return }
        let watching = try await Watching(folder)
        let snapshot = BytePath(folder("disk/snapshot"))
        try watching.watcher.save(to: snapshot)
        let before = try #require(FileHandover(savedAt: snapshot)?.take()?.bytes)
        for index in 0..<300 { folder.write("\(String(repeating: "x", count: 200))\(index)") }
        try await eventually("all are known") { watching.all.count { $0.kind == .created } >= 300 }
        #expect(throws: SystemError(ENOSPC, "keeping a snapshot of what is watched")) {
            try watching.watcher.save(to: snapshot)
        }
        #expect(FileHandover(savedAt: snapshot)?.take()?.bytes == before)
        #expect(disk.contents == ["snapshot"])
    }
}
