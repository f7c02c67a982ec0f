import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

@Suite(.balanced) struct FileWatcherTests {
    /// A new run may replace the other, which has to emit before that: the new one takes the findings at its start as
    /// known.
    @Test func otherRunsEmitFindingsOfNewRun() async throws {
        let folder = Folder()
        let watching = try await Watching(folder)
        let receivedBefore = Cell<[String]?>(nil)
        let other = Cell<(any Disposable)?>(nil)
        watching.watcher.queueForTests.sync {
            let run = watching.watcher.changes(FileRequest([BytePath(folder.path)])) {
                receivedBefore.update { $0 = watching.lines }
            }
            other.update { $0 = run.subscribe() }
            // After the start of the other.
            folder.write("file")
        }
        try await eventually("the other subscriber is armed") { receivedBefore.value != nil }
        #expect(receivedBefore.value?.first == "created file")
        other.value?.dispose()
    }

    /// Operations, and the changes that are emitted.
    struct Script: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let before: @Sendable (Folder) -> Void
        let done: @Sendable (Folder) -> Void
        let received: [String]
        /// Whether nothing is read before all operations are done.
        let isUnseen: Bool

        init(
            _ name: String, isUnseen: Bool = false, before: @escaping @Sendable (Folder) -> Void = { _ in },
            _ done: @escaping @Sendable (Folder) -> Void, _ received: [String]
        ) {
            testDescription = name
            self.isUnseen = isUnseen
            self.before = before
            self.done = done
            self.received = received
        }
    }

    static let scripts = [
        Script(
            "a new file is created, and modified when it is closed", { $0.write("a") }, ["created a", "modified a"]),
        Script("a file is written to", before: { $0.write("a") }, { $0.append("a", "more") }, ["modified a"]),
        Script("a file is touched", before: { $0.write("a") }, { utimes($0("a"), nil) }, []),
        Script("a file is removed", before: { $0.write("a") }, { $0.remove("a") }, ["removed a"]),
        Script("a file is renamed", before: { $0.write("a") }, { $0.rename("a", "b") }, ["moved b < a"]),
        Script(
            "a file takes another's place", before: { $0.write("a") },
            {
                $0.write("a.new", "two"); $0.rename("a.new", "a")
            },
            ["created a.new", "modified a.new", "modified a < a.new"]),
        Script(
            "an editor moves the old one away and writes a new one", before: { $0.write("a") },
            {
                $0.rename("a", "a~"); $0.write("a"); $0.remove("a~")
            },
            ["moved a~ < a", "created a", "modified a", "removed a~"]),
        Script("a directory is made", { $0.makeDirectory("d") }, ["created d/"]),
        Script(
            "a directory is renamed, and what is in it with it", isUnseen: true,
            before: {
                $0.makeDirectory("d/e"); $0.write("d/e/f")
            },
            {
                $0.rename("d", "g"); $0.append("g/e/f", "more")
            }, ["moved g/ < d", "modified g/e/f"]),
        Script(
            "a directory is removed from within",
            before: {
                $0.makeDirectory("d"); $0.write("d/f")
            },
            { $0.remove("d") }, ["removed d/f", "removed d/"]),
        Script("a hard link is made", before: { $0.write("a") }, { Glibc.link($0("a"), $0("b")) }, ["created b"]),
        Script(
            "two files change places",
            before: {
                $0.write("a", "one"); $0.write("b", "two")
            },
            {
                $0.rename("a", "c"); $0.rename("b", "a"); $0.rename("c", "b")
            },
            ["moved c < a", "moved a < b", "moved b < c"]),
        Script(
            "names are bytes",
            { folder in
                for name in [[0x61, 0x0A, 0x62], [0xFF, 0xFE], [0x1B, 0x5B, 0x6D]] as [[UInt8]] {
                    BytePath(folder.path).appending(BytePath(bytes: name)).withCString { _ = mkdir($0, 0o700) }
                }
            }, ["created a\nb/", "created \u{FFFD}\u{FFFD}/", "created \u{1B}[m/"]),
    ]

    @Test(arguments: scripts) func changesAreEmitted(script: Script) async throws {
        let folder = Folder()
        script.before(folder)
        let watching = try await Watching(folder)
        if script.isUnseen {
            watching.watcher.queueForTests.sync { script.done(folder) }
        } else {
            script.done(folder)
        }
        try await watching.receives(script.received)
    }

    @Test func swapOfKubernetesConfigMapIsEmitted() async throws {
        let folder = Folder()
        for version in ["1", "2"] {
            folder.makeDirectory(".." + version)
            folder.write("..\(version)/config", version)
        }
        folder.link("..data", to: "..1")
        folder.link("config", to: "..data/config")
        let whole = try await Watching(folder) { $0.recursive = false }
        let one = try await Watching(folder, ["config"])
        folder.link("..data_tmp", to: "..2")
        folder.rename("..data_tmp", "..data")
        try await eventually("the link's end is another: \(whole.lines)") {
            whole.lines.contains("synthetic modified config")
        }
        try await eventually("the file is another: \(one.lines)") { one.lines == ["modified config"] }
    }

    @Test func filesMadeBeforeDirectoryIsWatchedAreEmittedOnce() async throws {
        let folder = Folder()
        let watching = try await Watching(folder)
        for index in 0..<50 {
            folder.makeDirectory("a\(index)/b/c/d")
            folder.write("a\(index)/b/c/d/file")
        }
        try await eventually("all files are received") {
            watching.all.count { $0.kind == .created && $0.path.name == "file" } == 50
        }
        let created = watching.all.filter { $0.kind == .created }.map(\.path)
        #expect(created.count == Set(created).count)
        #expect(Set(created.map { "\($0)" }) == Set(folder.contents.map { folder(String($0.trimmingSuffix("/"))) }))
    }

    @Test func missingRootIsWaitedFor() async throws {
        let folder = Folder()
        let watching = try await Watching(folder, ["a/b/root"])
        folder.makeDirectory("a/b/root/d")
        folder.write("a/b/root/d/f")
        try await eventually("it is found: \(watching.lines)") {
            watching.all.contains { $0.kind == .created && $0.path.name == "f" }
        }
        folder.remove("a")
        try await eventually("it is removed: \(watching.lines)") {
            watching.all.contains { $0.kind == .removed && $0.path.name == "root" }
        }
        folder.makeDirectory("a/b/root")
        folder.write("a/b/root/again")
        try await eventually("it is back: \(watching.lines)") {
            watching.all.contains { $0.kind == .created && $0.path.name == "again" }
        }
    }

    @Test func rootIsRemovedDuringMove() async throws {
        let folder = Folder()
        folder.makeDirectory("root/d")
        folder.write("root/f")
        folder.write("root/d/g")
        let watching = try await Watching(folder, ["root"])
        watching.watcher.queueForTests.sync {
            folder.rename("root/f", "f")
            folder.rename("root/d", "d")
            folder.remove("root")
        }
        try await eventually("\(watching.lines)") { watching.lines.contains { $0.hasSuffix("removed root/") } }
        for name in ["root/f", "root/d/", "root/d/g", "root/"] {
            #expect(watching.lines.count { $0.hasSuffix("removed \(name)") } == 1)
        }
        folder.makeDirectory("root")
        try await eventually("\(watching.lines)") { watching.lines.last == "synthetic created root/" }
    }

    @Test func replacedRootIsFollowed() async throws {
        let folder = Folder()
        folder.makeDirectory("root")
        folder.write("root/same")
        folder.write("root/old")
        folder.makeDirectory("next")
        folder.write("next/same", "another")
        folder.write("next/new")
        let watching = try await Watching(folder, ["root"])
        // Nothing is read in between, while it does not exist.
        watching.watcher.queueForTests.sync {
            folder.rename("root", "before")
            folder.rename("next", "root")
        }
        let expected: Set = [
            "synthetic modified root/same", "synthetic created root/new", "synthetic removed root/old",
        ]
        try await eventually("the differences are received: \(watching.lines)") {
            expected.isSubset(of: watching.lines)
        }
        folder.write("root/later")
        try await eventually("the new one is watched: \(watching.lines)") {
            watching.lines.contains("created root/later")
        }
    }

    @Test func rootMayBeFile() async throws {
        let folder = Folder()
        let watching = try await Watching(folder, ["file"])
        folder.write("file")
        try await eventually("\(watching.lines)") { watching.lines.first == "created file" }
        folder.write("file.new", "two")
        folder.rename("file.new", "file")
        try await eventually("\(watching.lines)") { watching.lines.contains("modified file") }
        folder.write("other")
        folder.remove("file")
        try await eventually("\(watching.lines)") { watching.lines.last == "synthetic removed file" }
        #expect(!watching.lines.contains { $0.contains("other") || $0.contains("file.new") })
    }

    @Test func onlyIncludedFilesAreEmitted() async throws {
        let folder = Folder()
        folder.makeDirectory(".git")
        let watching = try await Watching(folder) {
            $0.include = [Glob("*.pem")]
            $0.exclude = [Glob(".git"), Glob("private/**")]
        }
        folder.makeDirectory("private")
        folder.write("private/a.pem")
        folder.write(".git/b.pem")
        folder.write("c.txt")
        folder.write("d.tmp")
        folder.rename("d.tmp", "d.pem")
        folder.makeDirectory("e")
        folder.write("e/f.pem")
        try await eventually("\(watching.lines)") { watching.lines.contains { $0.hasSuffix("created e/f.pem") } }
        folder.rename("e", "g")
        folder.rename("d.pem", "d.txt")
        try await eventually("\(watching.lines)") { watching.lines.contains("removed d.pem") }
        #expect(
            watching.lines.filter { !$0.contains("f.pem") } == ["created d.pem", "removed d.pem"])
        #expect(watching.lines.contains("moved g/f.pem < e/f.pem"))
    }

    @Test func fileMovedOutIsRemoved() async throws {
        let folder = Folder()
        folder.makeDirectory("in/d")
        folder.write("in/d/f")
        let watching = try await Watching(folder, ["in"])
        folder.rename("in/d", "out")
        try await eventually("\(watching.lines)") { watching.lines == ["removed in/d/f", "removed in/d/"] }
        folder.write("out/g")
        folder.rename("out", "in/d")
        try await eventually("\(watching.lines)") { watching.lines.contains("synthetic created in/d/g") }
    }

    @Test func writesToOpenFileAreEmitted() async throws {
        let folder = Folder()
        folder.write("log")
        let watching = try await Watching(folder)
        let file = try #require(fopen(folder("log"), "a"))
        fputs("line\n", file)
        fflush(file)
        try await eventually("\(watching.lines)") { watching.lines == ["modified log"] }
        fclose(file)
        try await watching.receives(["modified log"])
    }

    @Test func twoSubscribersMayWatchSamePath() async throws {
        let folder = Folder()
        folder.makeDirectory("d")
        let watcher = FileWatcher()
        let all = try await Watching(folder, watcher: watcher)
        var inner: Watching? = try await Watching(folder, ["d"], watcher: watcher)
        folder.write("d/f")
        try await eventually("both subscribers receive their changes") {
            all.lines.count == 2 && inner?.lines.count == 2
        }
        inner = nil
        folder.write("d/g")
        try await eventually("the remaining subscriber receives more changes") { all.lines.count == 4 }
    }

    @Test func nothingIsWatchedWithoutSubscribers() async throws {
        let folder = Folder()
        folder.makeDirectory("a/b")
        let watcher = FileWatcher()
        var watching: Watching? = try await Watching(folder, watcher: watcher)
        #expect(watcher.watchCount >= 3)
        withExtendedLifetime(watching) {}
        watching = nil
        try await eventually("all watches are removed") { watcher.watchCount == 0 }
    }

    @Test func pollingFindsDifferences() async throws {
        let folder = Folder()
        folder.write("a", "one")
        folder.write("b")
        let watching = try await Watching(folder) {
            $0.method = .polling
            $0.period = .milliseconds(20)
        }
        folder.write("a", "another")
        folder.remove("b")
        folder.write("c")
        let expected: Set = ["synthetic modified a", "synthetic removed b", "synthetic created c"]
        try await eventually("\(watching.lines)") { expected.isSubset(of: watching.lines) }
    }

    @Test func procIsPolled() {
        #expect(FileSystemKind(of: "/proc/self") == .content)
        #expect(FileSystemKind(of: "/sys") == .content)
        #expect(FileSystemKind(of: "/tmp") == .watched)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> Substring {
        hasSuffix(suffix) ? dropLast(suffix.count) : self[...]
    }
}
