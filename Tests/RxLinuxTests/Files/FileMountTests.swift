import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Mounts within a watched tree, which no event reports.
@Suite(.balanced) struct FileMountTests {
    /// A file system in memory that is mounted for the life of this object.
    private final class Memory {
        private let path: String

        /// `nil` if mounting is not allowed.
        init?(_ path: String) {
            self.path = path
            if mount("rx-test", path, "tmpfs", 0, nil) != 0 { return nil }
        }

        func end() { umount2(path, Int32(MNT_DETACH)) }
        deinit { end() }
    }

    @Test func mountOverDirectoryIsFoundAndUncovered() async throws {
        let folder = Folder()
        folder.makeDirectory("d/e")
        folder.write("d/e/under")
        let watching = try await Watching(folder)
        guard let memory = Memory(folder("d/e")) else { return }
        try await eventually("\(watching.lines)") { watching.lines == ["synthetic removed d/e/under"] }
        folder.write("d/e/over")
        try await eventually("\(watching.lines)") { watching.lines.contains("created d/e/over") }
        memory.end()
        try await eventually("\(watching.lines)") {
            Set(watching.lines).isSuperset(of: ["synthetic removed d/e/over", "synthetic created d/e/under"])
        }
        folder.append("d/e/under", "more")
        try await eventually("\(watching.lines)") { watching.lines.last == "modified d/e/under" }
    }

    @Test func mountedRootIsFound() async throws {
        let folder = Folder()
        folder.makeDirectory("place")
        let watching = try await Watching(folder, ["place/root", "place"])
        guard let memory = Memory(folder("place")) else { return }
        folder.makeDirectory("place/root")
        folder.write("place/root/f")
        try await eventually("both see it: \(watching.lines)") {
            watching.lines.count { $0.hasSuffix("created place/root/f") } == 2
        }
        memory.end()
        try await eventually("both miss it: \(watching.lines)") {
            watching.lines.count { $0.hasSuffix("removed place/root/f") } == 2
        }
    }

    /// If others may change a mounted file system, it is polled, and nothing else is.
    @Test func innerRemoteMountIsPolled() async throws {
        let folder = Folder()
        folder.makeDirectory("d/e")
        folder.write("f")
        guard let memory = Memory(folder("d/e")) else { return }
        folder.write("d/e/g")
        let watcher = FileWatcher()
        watcher.setKindOfMount { $0 == "tmpfs" ? .server : .memory }
        let watching = try await Watching(folder, watcher: watcher) { $0.period = .milliseconds(10) }
        // The kernel does not report a modification when a time is set.
        let times = [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]
        utimes(folder("f"), times)
        utimes(folder("d/e/g"), times)
        try await eventually("\(watching.lines)") { watching.lines == ["synthetic modified d/e/g"] }
        memory.end()
        // The path needs no polling any more, and moves back to the queue of this host, which compares all files.
        try await eventually("\(watching.lines)") {
            Set(watching.lines) == ["synthetic modified d/e/g", "synthetic removed d/e/g", "synthetic modified f"]
        }
        #expect(watching.lines.count == 3)
    }

    @Test(arguments: [
        ("36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue", "/mnt2", "ext3"),
        ("1 2 0:1 / / rw - rootfs none rw", "/", "rootfs"),
        (#"9 2 0:1 / /a\040b\134\012 rw shared:1 master:2 - fuse.sshfs host:/a\040b rw"#, "/a b\\\n", "fuse.sshfs"),
        (#"9 2 0:1 / /a\04\9999 rw - x y z"#, #"/a\04\9999"#, "x"),
        ("9 2 0:1 / /\u{FF} rw - - y z", "/\u{FF}", "-"),
    ])
    func mountInfoLineIsRead(line: String, point: String, type: String) throws {
        let mount = try #require(Mount(line: Array(line.utf8)[...]))
        #expect("\(mount.point)" == point && mount.type == type)
    }

    @Test(arguments: ["", " ", "1 2 3 4 5", "1 2 3 4 5 6 -", "1 2 3 4 -", "a b c d e f g h"])
    func invalidMountInfoLinesAreSkipped(line: String) {
        #expect(Mount(line: Array(line.utf8)[...]) == nil)
    }

    @Test(
        arguments: [
            (0x9FA0, "proc", .content), (0x6265_6572, "sysfs", .content), (0x6969, "nfs4", .polled),
            (0xFF53_4D42, "cifs", .polled), (0xFE53_4D42, "smb3", .polled), (0x6573_5546, "fuse.sshfs", .polled),
            (0x6573_5546, "fuseblk", .polled), (0x0102_1997, "9p", .polled), (0x00C3_6400, "ceph", .polled),
            (0x6B41_4653, "afs", .polled), (0x0187, "autofs", .polled), (0xEF53, "ext4", .watched),
            (0x5846_5342, "xfs", .watched),
            (0x9123_683E, "btrfs", .watched), (0x0102_1994, "tmpfs", .watched), (0x794C_7630, "overlay", .watched),
            (0x6367_7270, "cgroup2", .watched),
        ] as [(UInt32, String, FileSystemKind)])
    func watchingMethodDependsOnFileSystem(magic: UInt32, type: String, kind: FileSystemKind) {
        #expect(FileSystemKind(magic: magic) == kind && (MountKind(type: type) == .server) == (kind == .polled))
    }
}
