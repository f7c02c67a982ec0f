import Dispatch
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// The root directory's file system if it does not answer, as seen by the start.
@Suite(.balanced) struct FileDelayTests {
    private final class Received: Sendable {
        let changes = Cell<[String]>([])
        let notices = Cell<[FileNotice]>([])
        let isArmed = Cell(false)
    }

    private func watch(_ watcher: FileWatcher, _ path: String) -> (received: Received, subscription: any Disposable) {
        let received = Received()
        let subscription = watcher.changes(
            FileRequest([BytePath(path)], recursive: true),
            onArmed: { received.isArmed.update { $0 = true } }, onNotice: { received.notices.append($0) }
        )
        .subscribe(onNext: { received.changes.append($0.path.name.text) })
        return (received, subscription)
    }

    private func watcher(timeout: Duration) -> FileWatcher {
        FileWatcher(resuming: nil, bufferSize: 4096, localTimeout: timeout)
    }

    /// The start continues and reports the path, which is watched when its file system answers.
    @Test func startDoesNotWaitForLocalDisk() async throws {
        let folder = Folder()
        let watcher = watcher(timeout: .milliseconds(20))
        watcher.queueForTests.suspend()
        let (received, subscription) = watch(watcher, folder.path)
        try await eventually("the start continues") { received.isArmed.value }
        let notice = FileNotice.delayed(BytePath(folder.path))
        #expect(received.notices.value == [notice] && notice.isProblem)
        #expect(
            "\(notice)"
                == "\(folder.path) is not watched yet: it is on the file system of the root directory, which does not answer; its watch starts when the file system answers"
        )
        watcher.queueForTests.resume()
        try await eventually("the path is watched") { watcher.watchCount > 0 }
        folder.write("a")
        try await eventually("the change is received: \(received.changes.value)") {
            received.changes.value.contains("a")
        }
        #expect(received.notices.value == [notice])
        subscription.dispose()
        try await eventually("all watches are removed") { watcher.watchCount == 0 }
    }

    /// The thread that subscribes waits for a local disk for a moment only, once for all of its paths: it may be that of
    /// a pipeline.
    @Test(SilentMount.condition) func subscribingDoesNotWaitForLocalDisk() async throws {
        let folders = (0..<20).map { _ in Folder() }
        let folder = folders[0]
        folder.makeDirectory("hung")
        let mount = try SilentMount(folder("hung"))
        let watcher = watcher(timeout: .milliseconds(20))
        // Paths are followed only if there is a mount that may block, and this one counts as the root directory's.
        watcher.setKindOfMount { $0 == "proc" ? .server : .memory }
        let all = Cell<[(received: Received, subscription: any Disposable)]>([])
        let thread = TestSupport.Thread {
            for other in folders {
                let path = other === folder ? folder("hung/deep") : other.path
                all.append(watch(watcher, path))
            }
        }
        try await eventually("all have subscribed") { all.value.count == folders.count }
        try await eventually("the start continues") { all.value.allSatisfy { $0.received.isArmed.value } }
        #expect(all.value.first?.received.notices.value == [.delayed(BytePath(folder("hung/deep")))])
        mount.end()
        folder.makeDirectory("hung/deep")
        // The deep directory is watched with all of its parents, up to the root directory.
        let expected = folders.count + folder("hung/deep").split(separator: "/").count
        try await eventually("all are watched: \(watcher.watchCount) of \(expected)") { watcher.watchCount == expected }
        folder.append("hung/deep/a", "x")
        for other in folders.dropFirst() { other.append("a", "x") }
        try await eventually("the changes are received: \(all.value.map(\.received.changes.value))") {
            all.value.allSatisfy { $0.received.changes.value.contains("a") }
        }
        thread.join()
        for (_, subscription) in all.value { subscription.dispose() }
        try await eventually("all watches are removed") { watcher.watchCount == 0 }
    }

    @Test func disposedRunIsNotReported() async throws {
        let folder = Folder()
        let watcher = watcher(timeout: .milliseconds(20))
        watcher.queueForTests.suspend()
        let (received, subscription) = watch(watcher, folder.path)
        subscription.dispose()
        try await eventually("the timeout is over") { received.isArmed.value }
        #expect(received.notices.value == [])
        watcher.queueForTests.resume()
        try await eventually("nothing is watched") { watcher.watchCount == 0 }
    }

    @Test func timeoutContinuesWhileThereIsProgress() async throws {
        let calls = Cell<[String]>([])
        let once = OnceWithTimeout { calls.append("body") }
        once.orElse(after: .milliseconds(1)) {
            calls.append("progress")
            return calls.value.count < 4
        } _: {
            calls.append("late")
        }
        try await eventually("\(calls.value)") { calls.value.last == "body" }
        once()
        #expect(calls.value == ["progress", "progress", "progress", "progress", "late", "body"])
    }

    /// A wait that has ended retains nothing until its timeout.
    @Test func calledClosureIsReleased() {
        final class Retained: Sendable {}
        let calls = Cell(0)
        let once = OnceWithTimeout { calls.update { $0 += 1 } }
        var object: Retained? = Retained()
        weak let found = object
        once.orElse(after: .seconds(600)) { [object] in withExtendedLifetime(object) {} }
        object = nil
        #expect(found != nil)
        once()
        once()
        #expect(found == nil && calls.value == 1)
        once.orElse(after: .zero) { Issue.record("the closure was called before") }
    }

    @Test func walkIsProgress() throws {
        let folder = Folder()
        let core = FileWatcherCore(nil, 4096, .seconds(1)) { _ in }
        let hasProgressed = core.observeProgress()
        #expect(!hasProgressed())
        core.queue.sync {
            core.arm(core.makeRoot(BytePath(folder.path), FileRequest([BytePath(folder.path)])) { _ in })
        }
        #expect(hasProgressed() && !hasProgressed())
    }
}
