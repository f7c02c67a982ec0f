import RxLinux
import TestSupport
import Testing

struct DirectoryLockTests {
    private let folder = TemporaryDirectory()

    @Test func lockIsHeldUntilRelease() throws {
        var lock = try DirectoryLock(folder.path)
        #expect(lock != nil)
        #expect(try DirectoryLock(folder.path) == nil)
        lock = nil
        #expect(try DirectoryLock(folder.path) != nil)
    }

    /// A process that ends while another one starts may have the lock for some milliseconds.
    @Test func lockIsAwaited() throws {
        let held = Cell<DirectoryLock?>(try DirectoryLock(folder.path))
        let pauses = Cell(0)
        #expect(try DirectoryLock(folder.path, attempts: 3) { pauses.update { $0 += 1 } } == nil)
        #expect(pauses.value == 2)
        let lock = try DirectoryLock(folder.path, attempts: 3) { held.update { $0 = nil } }
        #expect(lock != nil)
    }
}
