import Dispatch
import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// File systems whose server does not answer.
@Suite(.balanced, .serialized, SilentMount.condition) struct FileRemoteTests {
    private struct Received {
        let changes = Cell<[FileChange]>([])
        let notices = Cell<[String]>([])
        let isArmed = Cell(false)
    }

    private func watch(
        _ watcher: FileWatcher, _ path: String, recursive: Bool = true
    ) -> (received: Received, subscription: any Disposable) {
        let received = Received()
        let subscription = watcher.readings(
            FileRequest([BytePath(path)], recursive: recursive, period: .milliseconds(20)), after: nil,
            onArmed: { received.isArmed.update { $0 = true } }, onNotice: { received.notices.append("\($0)") }
        )
        .subscribe(onNext: { if case .change(let change, _, _, _) = $0 { received.changes.append(change) } })
        return (received, subscription)
    }

    @Test(arguments: ["hung", ""]) func othersDoNotWaitForHungMount(below: String) async throws {
        let folder = Folder()
        folder.makeDirectory("outer/hung")
        folder.makeDirectory("local")
        let mount = try SilentMount(folder("outer/hung"))
        let saved = BytePath(folder("saved"))
        let watcher = FileWatcher(resuming: nil, savingTo: saved)
        let hungPath = below.isEmpty ? folder("outer") : folder("outer/hung/deep")
        let (hung, first) = watch(watcher, hungPath)
        let (local, second) = watch(watcher, folder("local"))
        try await eventually("the local watch is armed") { local.isArmed.value }
        folder.write("local/a")
        try await eventually("the local change is received") { local.changes.value.count == 2 }
        // The start continues, and reports why.
        try await eventually("the start does not wait for the hung mount") { hung.isArmed.value }
        #expect(
            hung.notices.value == [
                "\(hungPath) is on a file system that does not answer; its watch starts when the file system answers, and no other is delayed"
            ])
        watcher.finishResuming()
        try watcher.save(to: saved)
        let start = ContinuousClock.now
        for _ in 0..<20 { _ = try watcher.saveChanges(isUrgent: true) }
        watcher.stop()
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(FileHandover(savedAt: saved) != nil)
        for subscription in [first, second] { subscription.dispose() }
        mount.end()
    }

    /// A mount that appears later blocks no other path, and loses no change of its own.
    @Test(arguments: ["", "/hung", "/hung/deep"]) func lateHungMountBlocksNothingElse(below: String) async throws {
        let folder = Folder()
        folder.makeDirectory("outer/hung/deep")
        folder.makeDirectory("local")
        let saved = BytePath(folder("saved"))
        let watcher = FileWatcher(resuming: nil, savingTo: saved)
        let (hung, first) = watch(watcher, folder("outer" + below))
        let (local, second) = watch(watcher, folder("local"))
        try await eventually("both watches are armed") { hung.isArmed.value && local.isArmed.value }
        watcher.finishResuming()
        try watcher.save(to: saved)
        folder.write("outer/hung/deep/a")
        // No event of this one is read before the mount, and none is being handled: an access that has begun would block.
        let (hasBegun, isBlocked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        watcher.queueForTests.async {
            hasBegun.signal()
            isBlocked.wait()
        }
        #expect(hasBegun.wait(timeout: .now() + 10) == .success)
        folder.write("outer/hung/deep/b")
        let mount = try SilentMount(folder("outer/hung"))
        isBlocked.signal()
        try await eventually("it is reported: \(hung.notices.value)") { hung.notices.value.count == 1 }
        #expect(hung.notices.value.first?.hasPrefix("\(folder("outer" + below)) is on a file system that does") == true)
        folder.write("local/a")
        try await eventually("the local change is received") { !local.changes.value.isEmpty }
        let start = ContinuousClock.now
        for _ in 0..<20 { _ = try watcher.saveChanges(isUrgent: true) }
        #expect(ContinuousClock.now - start < .seconds(5))
        mount.end()
        folder.write("outer/hung/deep/c")
        let names: Set = ["a", "b", "c"]
        func created() -> [String] {
            hung.changes.value.filter { $0.kind == .created }.map(\.path.name.text).filter(names.contains)
        }
        try await eventually("all are received: \(hung.changes.value)") { Set(created()) == names }
        #expect(created().count == 3, "\(hung.changes.value)")
        for subscription in [first, second] { subscription.dispose() }
        try await eventually("all watches are removed") { watcher.watchCount == 0 }
    }

    /// A directory is watched whose entries lead to a hung mount, if the request does not: a link, or the mount point
    /// itself in a request that is not recursive.
    @Test(arguments: [true, false]) func entriesThatLeadToHungMountAreNotAccessed(isRecursive: Bool) async throws {
        let folder = Folder()
        folder.makeDirectory("hung")
        for name in ["d", "e"] { folder.makeDirectory("local/\(name)") }
        folder.link("local/link", to: "../hung/f")
        let mounts = isRecursive ? ["hung"] : ["hung", "local/d"]
        var all = try mounts.map { try SilentMount(folder($0)) }
        let watcher = FileWatcher()
        let (local, subscription) = watch(watcher, folder("local"), recursive: isRecursive)
        try await eventually("the local watch is armed") { local.isArmed.value }
        if !isRecursive { all.append(try SilentMount(folder("local/e"))) }
        folder.link("local/later", to: "../hung/f")
        folder.write("local/a")
        try await eventually("it is received: \(local.changes.value)") {
            Set(local.changes.value.map(\.path.name.text)).isSuperset(of: ["a", "later"])
        }
        #expect(local.notices.value == [])
        subscription.dispose()
        try await eventually("all watches are removed") { watcher.watchCount == 0 }
        for mount in all { mount.end() }
    }

    /// A stop does not wait for a mount that appeared later, and the next process knows the changes before it.
    @Test func stopDoesNotWaitForLateHungMount() async throws {
        let folder = Folder()
        folder.makeDirectory("hung")
        let saved = BytePath(folder("saved"))
        let watcher = FileWatcher(resuming: nil, savingTo: saved)
        let (hung, subscription) = watch(watcher, folder("hung"))
        try await eventually("the watch is armed") { hung.isArmed.value }
        watcher.finishResuming()
        try watcher.save(to: saved)
        let mount = try SilentMount(folder("hung"))
        try await eventually("the hung mount is reported") { hung.notices.value.count == 1 }
        let start = ContinuousClock.now
        watcher.stop()
        try watcher.save(to: saved)
        #expect(ContinuousClock.now - start < .seconds(5))
        subscription.dispose()
        mount.end()
    }

    /// A queue that does not answer delays a stop by a few seconds only.
    @Test func stopOfBlockedWatcherIsBounded() async throws {
        let folder = Folder()
        let saved = BytePath(folder("saved"))
        let watcher = FileWatcher(resuming: nil, savingTo: saved)
        let (changes, subscription) = watch(watcher, folder("."))
        try await eventually("the watch is armed") { changes.isArmed.value }
        let isBlocked = DispatchSemaphore(value: 0)
        watcher.queueForTests.async { isBlocked.wait() }
        let start = ContinuousClock.now
        #expect(!watcher.isResumed)
        #expect(throws: SystemError.self) { try watcher.handover() }
        watcher.stop()
        try watcher.save(to: saved)
        #expect(ContinuousClock.now - start < .seconds(8))
        isBlocked.signal()
        subscription.dispose()
        try await eventually("the watcher answers again") { watcher.watchCount >= 0 && watcher.degradedPaths.isEmpty }
    }

    /// When the server answers, or has died, the path is watched.
    @Test func pathIsWatchedWhenServerAnswers() async throws {
        let folder = Folder()
        folder.makeDirectory("hung")
        let mount = try SilentMount(folder("hung"))
        let watcher = FileWatcher()
        let (hung, subscription) = watch(watcher, folder("hung"))
        try await eventually("the start does not wait for the hung mount") { hung.isArmed.value }
        mount.end()
        folder.makeDirectory("hung/d")
        try await eventually("it is received: \(hung.changes.value)") {
            hung.changes.value.contains { $0.kind == .created && $0.path.name == "d" }
        }
        subscription.dispose()
        try await eventually("all watches are removed") { watcher.watchCount == 0 }
    }

    @Test func remoteFileSystemsAreDetectedWithoutAccess() throws {
        let folder = Folder()
        folder.makeDirectory("a/hung")
        folder.makeDirectory("b")
        folder.link("link", to: "a/hung/inner")
        let mount = try SilentMount(folder("a/hung"))
        let point = BytePath(folder("a/hung"))
        func touched(_ name: String, _ recursive: Bool) -> Set<BytePath> {
            BlockingMounts.remote().touched(by: BytePath(folder(name)), recursive: recursive).filter { $0 == point }
        }
        #expect(touched("a", true) == [point] && touched("a", false) == [])
        #expect(touched("a/hung", false) == [point] && touched("a/hung/x/y", true) == [point])
        #expect(touched("link", false) == [point] && touched("b", true) == [] && touched("none/x", true) == [])
        #expect(FileRequest([point]).notices.isEmpty)
        mount.end()
    }
}
