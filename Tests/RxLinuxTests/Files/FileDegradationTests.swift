import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// If the system has no room for more watches, the remaining paths are polled.
@Suite(.balanced, .serialized) struct FileDegradationTests {
    @Test func watchLimitDegradesToPolling() async throws {
        let folder = Folder()
        folder.makeDirectory("small")
        for index in 0..<40 { folder.makeDirectory("large/\(index)") }
        let watcher = FileWatcher()
        let received = Cell<[FileDegradation]>([])
        let subscription = watcher.degradations.subscribe(onNext: { received.append($0) })
        let small = try await Watching(folder, ["small"], watcher: watcher)
        // Without the rights for that, no limit is reached.
        guard let limit = SystemLimit("max_user_watches", of: 0) else {
            return subscription.dispose()
        }
        let large = try await Watching(folder, ["large"], watcher: watcher) { $0.period = .milliseconds(20) }
        let degraded = try #require(received.value.first)
        #expect(received.value.count == 1)
        #expect(degraded.error.number == ENOSPC)
        #expect("\(degraded.path)" == folder("large"))
        #expect("\(degraded)".contains("raise fs.inotify.max_user_watches (now \(limit.value))"))
        #expect(watcher.degradedPaths == [degraded])
        // One root is watched as ever, the other is polled.
        folder.write("small/f")
        for index in 0..<40 { folder.write("large/\(index)/f") }
        try await eventually("\(small.lines)") { small.lines == ["created small/f", "modified small/f"] }
        try await eventually("\(large.lines)") {
            Set((0..<40).map { "created large/\($0)/f" }).isSubset(
                of: large.lines.map { $0.trimmingPrefix("synthetic ") })
        }
        #expect(received.value.count == 1)
        limit.restore()
        try await eventually("there is room again, and it is taken") { watcher.degradedPaths.isEmpty }
        folder.append("large/39/f", "more")
        try await eventually("\(large.lines)") { large.lines.contains("modified large/39/f") }
        subscription.dispose()
    }

    /// Each source at a path receives its degradation; for all but the first, it is known.
    @Test func degradationOfSharedPathIsKnownToLaterSources() async throws {
        let folder = Folder()
        folder.write("file")
        guard let limit = SystemLimit("max_user_watches", of: 0) else { return }
        let watcher = FileWatcher()
        let (reported, notices) = (Cell<[FileDegradation]>([]), Cell<[Bool]>([]))
        let bag = DisposeBag()
        watcher.degradations.subscribe(onNext: { reported.append($0) }).disposed(by: bag)
        let request = FileRequest([BytePath(text: folder("file"))])
        for count in 1...3 {
            watcher.changes(request, onNotice: { notices.append($0.isKnown) }).subscribe().disposed(by: bag)
            try await eventually("source \(count) is degraded") { notices.value.count == count }
        }
        #expect(notices.value == [false, true, true])
        #expect(reported.value.count == 1 && watcher.degradedPaths.count == 3)
        limit.restore()
    }

    @Test func watchLimitForFileDegradesToPolling() async throws {
        let folder = Folder()
        folder.write("file")
        guard let limit = SystemLimit("max_user_watches", of: 0) else { return }
        let watching = try await Watching(folder, ["file"]) { $0.period = .milliseconds(20) }
        #expect(watching.watcher.degradedPaths.map(\.error.number) == [ENOSPC])
        folder.write("file", "another")
        try await eventually("\(watching.lines)") { watching.lines == ["modified file"] }
        withExtendedLifetime(limit) {}
    }

    @Test func instanceLimitDegradesToPolling() async throws {
        let folder = Folder()
        folder.makeDirectory("d")
        guard let limit = SystemLimit("max_user_instances", of: 0) else { return }
        let watching = try await Watching(folder) { $0.period = .milliseconds(20) }
        let degraded = try #require(watching.watcher.degradedPaths.first)
        #expect(degraded.error.number == EMFILE)
        #expect("\(degraded)".contains("fs.inotify.max_user_instances (now 0)"))
        folder.write("d/f")
        try await eventually("\(watching.lines)") { watching.lines == ["synthetic created d/f"] }
        limit.restore()
        try await eventually("there is room again, and it is taken") { watching.watcher.degradedPaths.isEmpty }
        folder.append("d/f", "more")
        try await eventually("\(watching.lines)") { watching.lines.last == "modified d/f" }
    }

    @Test func descriptorLimitDegradesToPolling() async throws {
        await #expect(processExitsWith: .success) {
            let folder = Folder()
            let watching = try await withoutDescriptors {
                let watching = try await Watching(folder) { $0.period = .milliseconds(20) }
                #expect(watching.watcher.degradedPaths.map(\.error.number) == [EMFILE])
                return watching
            }
            folder.write("f")
            try await eventually("\(watching.lines)") { watching.lines.contains("synthetic created f") }
            try await eventually("no path is degraded") { watching.watcher.degradedPaths.isEmpty }
        }
    }
}
