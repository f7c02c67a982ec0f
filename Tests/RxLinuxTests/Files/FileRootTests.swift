import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Tests of the requested paths.
@Suite(.balanced) struct FileRootTests {
    /// Between two polls the directory is replaced by another of the same name, and most file systems give it the same
    /// number.
    @Test(arguments: [true, false]) func recreatedRootIsWatched(recursive: Bool) async throws {
        let folder = Folder()
        folder.makeDirectory("root/d")
        folder.write("root/old")
        let watching = try await Watching(folder, ["root"]) { $0.recursive = recursive }
        for round in 0..<5 {
            watching.watcher.queueForTests.sync {
                folder.remove("root")
                folder.makeDirectory("root/d")
            }
            folder.write("root/new\(round)")
            try await eventually("round \(round): \(watching.lines)") {
                watching.lines.contains { $0.hasSuffix("created root/new\(round)") }
            }
            folder.write("root/again\(round)")
            try await eventually("round \(round): \(watching.lines)") {
                watching.lines.contains { $0.hasSuffix("created root/again\(round)") }
            }
            guard recursive else { continue }
            folder.write("root/d/deep\(round)")
            try await eventually("round \(round): \(watching.lines)") {
                watching.lines.contains { $0.hasSuffix("created root/d/deep\(round)") }
            }
        }
        #expect(watching.lines.count { $0.hasSuffix("removed root/old") } == 1)
    }

    @Test func cyclicLinkAsRootIsWaitedFor() async throws {
        let folder = Folder()
        folder.link("a", to: "b")
        folder.link("b", to: "a")
        folder.makeDirectory("real")
        folder.write("real/f")
        let watching = try await Watching(folder, ["a/d", "a"])
        #expect(watching.lines == [])
        folder.link("b.new", to: "real")
        folder.rename("b.new", "b")
        try await eventually("\(watching.lines)") { watching.lines.contains { $0.hasSuffix("created a/f") } }
        folder.makeDirectory("real/d")
        try await eventually("\(watching.lines)") { watching.lines.contains { $0.hasSuffix("created a/d/") } }
        folder.write("real/d/g")
        try await eventually("both are received: \(watching.lines)") {
            watching.lines.count { $0.hasSuffix("created a/d/g") } == 2
        }
    }

    @Test func retargetedLinkIsFollowed() async throws {
        let folder = Folder()
        for name in ["one/sub", "two/sub"] { folder.makeDirectory(name) }
        folder.write("one/sub/old")
        folder.write("two/sub/new")
        folder.link("current", to: "one")
        let watching = try await Watching(folder, ["current/sub"])
        folder.link("next", to: "two")
        folder.rename("next", "current")
        let expected: Set = ["synthetic removed current/sub/old", "synthetic created current/sub/new"]
        try await eventually("\(watching.lines)") { expected.isSubset(of: watching.lines) }
        folder.write("two/sub/later")
        try await eventually("\(watching.lines)") { watching.lines.contains("created current/sub/later") }
        let before = watching.lines.count
        folder.write("one/sub/nobody")
        folder.write("two/sub/last")
        try await eventually("\(watching.lines)") { watching.lines.contains("created current/sub/last") }
        #expect(!watching.lines.dropFirst(before).contains { $0.contains("nobody") })
    }

    /// This user's permissions are revoked for a while: nothing is emitted as removed.
    @Test func deniedDirectoryIsNotEmittedAsRemoved() async {
        await #expect(processExitsWith: .success) {
            if geteuid() == 0 { #expect(setgroups(0, nil) == 0 && setgid(65534) == 0 && setuid(65534) == 0) }
            let folder = Folder()
            folder.makeDirectory("way/root/d")
            folder.write("way/root/d/f")
            folder.write("way/file")
            let watching = try await Watching(folder, ["way/root", "way/file"]) {
                $0.method = .polling
                $0.period = .milliseconds(10)
            }
            chmod(folder("way"), 0)
            try await eventually("\(watching.watcher.degradedPaths)") {
                watching.watcher.degradedPaths.map(\.error.number) == [EACCES, EACCES]
            }
            chmod(folder("way"), 0o700)
            try await eventually("all is well: \(watching.watcher.degradedPaths)") {
                watching.watcher.degradedPaths.isEmpty
            }
            folder.write("way/root/d/g")
            try await eventually("\(watching.lines)") {
                watching.lines.contains { $0.hasSuffix("created way/root/d/g") }
            }
            #expect(!watching.lines.contains { $0.contains("removed") || $0.hasSuffix("d/f") })
        }
    }

    /// The names in a directory can be read, and nothing else about them.
    @Test func directoryWithoutSearchPermission() async {
        await #expect(processExitsWith: .success) {
            if geteuid() == 0 { #expect(setgroups(0, nil) == 0 && setgid(65534) == 0 && setuid(65534) == 0) }
            let folder = Folder()
            folder.makeDirectory("d/e")
            folder.write("d/f")
            folder.write("d/e/g")
            let watching = try await Watching(folder) {
                $0.method = .polling
                $0.period = .milliseconds(5)
            }
            chmod(folder("d"), 0o444)
            for name in ["one", "two", "three"] {
                folder.write(name)
                try await eventually("\(watching.lines)") { watching.lines.contains("synthetic created \(name)") }
            }
            chmod(folder("d"), 0o755)
            folder.write("d/h")
            try await eventually("\(watching.lines)") { watching.lines.contains("synthetic created d/h") }
            #expect(!watching.lines.contains { $0.contains("removed") || $0.hasSuffix("d/f") || $0.hasSuffix("d/e/g") })
        }
    }

    @Test func unreadableDirectoryIsReportedAndReadLater() async {
        await #expect(processExitsWith: .success) {
            if geteuid() == 0 { #expect(setgroups(0, nil) == 0 && setgid(65534) == 0 && setuid(65534) == 0) }
            let folder = Folder()
            folder.makeDirectory("closed")
            folder.write("closed/f")
            chmod(folder("closed"), 0)
            // This does not need a walk of the whole tree.
            let watching = try await Watching(folder) { $0.period = .seconds(3_600) }
            let degraded = try #require(watching.watcher.degradedPaths.first)
            #expect(degraded.error.number == EACCES)
            #expect("\(degraded)".hasSuffix(": let the user that this process runs as read it"))
            #expect("\(degraded)".hasPrefix("\(folder.path) is watched in part: reading \(folder("closed")): "))
            chmod(folder("closed"), 0o700)
            try await eventually("\(watching.lines)") { watching.lines == ["synthetic created closed/f"] }
            try await eventually("no path is degraded") { watching.watcher.degradedPaths.isEmpty }
            folder.write("closed/g")
            try await eventually("\(watching.lines)") { watching.lines.contains("created closed/g") }
        }
    }

    /// A path may have any bytes, up to the longest that the system allows.
    @Test func relativePathIsBelowWorkingDirectory() async {
        await #expect(processExitsWith: .success) {
            let folder = Folder()
            let place = BytePath(folder.path).appending(BytePath(bytes: [0xFF, 0x0A]))
            #expect(place.withCString { mkdir($0, 0o700) == 0 && chdir($0) == 0 })
            let received = Cell<[BytePath]>([])
            let armed = Cell(false)
            let watcher = FileWatcher()
            let subscription = watcher.changes(FileRequest(["here"]), onArmed: { armed.update { $0 = true } })
                .subscribe(onNext: { received.append($0.path) })
            try await eventually("the watcher is armed") { armed.value }
            mkdir("here", 0o700)
            try await eventually("the change is received") { received.value == [place.appending("here")] }
            subscription.dispose()
        }
    }
}
