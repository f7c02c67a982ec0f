import CLinux
import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// States that cannot be resumed.
extension FileHandoverTests {
    @Test func tornSnapshotIsIgnored() async throws {
        let folder = Folder()
        folder.makeDirectory("tree/d")
        let file = BytePath(folder("saved"))
        let watching = try await Watching(folder, ["tree"])
        try watching.watcher.save(to: file)
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder("saved")))
        let place = 4_096
        for _ in 0..<200 {
            var torn = whole
            switch Int.random(in: 0..<3) {
            case 0: torn.removeLast(Int.random(in: 1..<(whole.count - place)))
            case 1: torn[Int.random(in: place..<whole.count)] ^= UInt8.random(in: 1...255)
            default: torn[Int.random(in: 0..<12)] ^= UInt8.random(in: 1...255)
            }
            try torn.write(to: URL(fileURLWithPath: folder("saved")))
            #expect(FileHandover(savedAt: file) == nil)
        }
        #expect(FileHandover(savedAt: BytePath(folder("none"))) == nil)
    }

    /// The checksum is right, and the contents are arbitrary.
    @Test func arbitraryBytesAreAccepted() async throws {
        let folder = Folder()
        folder.makeDirectory("tree/d")
        folder.write("tree/f")
        let watching = try await Watching(folder, ["tree", "tree/f"])
        let handover = try watching.watcher.handover()
        let found = try #require(WatchSnapshot.read(handover.snapshot))
        let file = BytePath(folder("saved"))
        for _ in 0..<300 {
            var bytes = found.bytes
            for _ in 0..<Int.random(in: 1..<4) {
                bytes[Int.random(in: 0..<bytes.count)] =
                    [0, 1, 0x7F, 0xFF, UInt8.random(in: 0...255)].randomElement() ?? 0
            }
            if Bool.random() { bytes.removeLast(Int.random(in: 0..<bytes.count)) }
            let descriptor = try Descriptor(open(folder("saved"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600), "")
            try WatchSnapshot.write(copyTo: descriptor.number) { snapshot in
                snapshot.put(raw: bytes)
            }
            let handover = try #require(FileHandover(savedAt: file))
            let watcher = FileWatcher(resuming: handover)
            _ = watcher.watchCount
        }
    }

    @Test func inotifyQueueOfOtherSnapshotIsDropped() async throws {
        let folder = Folder()
        folder.makeDirectory("tree")
        let one = try await Watching(folder, ["tree"])
        let other = try await Watching(folder, ["tree"])
        let (mine, others) = (try one.watcher.handover(), try other.watcher.handover())
        one.watcher.stop()
        folder.write("tree/f")
        func copy(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
        let strangers = [open("/dev/null", O_RDONLY | O_CLOEXEC), copy(others.inotify)]
        let mixed = try #require(FileHandover(taking: strangers + [copy(mine.snapshot)]))
        #expect(mixed.inotify < 0)
        for descriptor in strangers { #expect(fcntl(descriptor, F_GETFD) < 0) }
        let third = try await Watching(folder, ["tree"], watcher: FileWatcher(resuming: mixed))
        third.watcher.finishResuming()
        #expect(!third.watcher.isResumed)
        #expect(third.lines == ["synthetic created tree/f"])
        // If both exist, they find each other.
        let all = [mine.snapshot, others.inotify, others.snapshot, mine.inotify].map(copy)
        let chosen = try #require(FileHandover(taking: all))
        #expect(FileHandover.isPair(chosen.inotify, chosen.snapshot))
        #expect(FileHandover(taking: [open("/dev/null", O_RDONLY | O_CLOEXEC)]) == nil)
    }
}
