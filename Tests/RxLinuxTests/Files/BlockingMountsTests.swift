import TestSupport
import Testing

@testable import RxLinux

/// The mounts that may block, by what can block on its own.
@Suite struct BlockingMountsTests {
    private func mounts(_ lines: String...) throws -> [Mount] {
        try lines.enumerated().map { index, line in
            let fields = line.split(separator: " ")
            let text = "\(index) 1 \(fields[0]) / \(fields[1]) rw - \(fields[2]) none rw"
            return try #require(Mount(line: Array(text.utf8)[...]))
        }
    }

    private func blocking(_ mounts: [Mount]) -> BlockingMounts {
        BlockingMounts(among: mounts, MountKind.init(type:))
    }

    /// A path in a mount that does not exist, so that only the text of the path counts.
    @Test(
        arguments: [
            ("/none-a", ["/none-a"]), ("/none-a/x", ["/none-a"]), ("/none-b/x", ["/none-b"]),
            ("/none-bind/x", ["/none-b"]), ("/none-memory/x", []), ("/none-layers/x", []), ("/none-root/x", []),
            ("/none-server/x", ["/none-server"]),
            ("/none-over/x", ["/none-over"]), ("/none-a/inner/x", ["/none-a", "/none-a/inner"]), ("/none-ab", []),
        ] as [(BytePath, [BytePath])])
    func mountsOfOneDeviceAreGroup(path: BytePath, groups: [BytePath]) throws {
        let blocking = blocking(
            try mounts(
                "8:1 / ext4", "8:1 /none-root ext4", "8:2 /none-a ext4", "8:3 /none-bind xfs", "8:3 /none-b xfs",
                "0:5 /none-memory tmpfs", "0:8 /none-layers overlay", "0:6 /none-server nfs4", "8:4 /none-over ext4",
                "0:7 /none-over nfs4",
                "8:5 /none-a/inner ext4"))
        #expect(blocking.touched(by: path, recursive: false) == Set(groups))
        let below: Set<BytePath> = path == "/none-a" ? ["/none-a", "/none-a/inner"] : Set(groups)
        #expect(blocking.touched(by: path, recursive: true) == below)
    }

    @Test func requestTouchesMountsOfAllPaths() throws {
        let blocking = blocking(try mounts("8:1 / ext4", "8:2 /none-a ext4", "8:3 /none-b ext4", "8:4 /none-c ext4"))
        #expect(blocking.touched(by: FileRequest(["/none-a/x", "/none-c/x", "/none"])) == ["/none-a", "/none-c"])
        #expect(blocking.touched(by: FileRequest(["/"], recursive: true)) == ["/none-a", "/none-b", "/none-c"])
        #expect(blocking.touched(by: FileRequest(["/"])) == [])
    }

    /// A symbolic link in a mount is followed if the mount may be accessed.
    @Test func pathIsFollowedThroughAccessibleMounts() throws {
        let folder = Folder()
        for name in ["a", "b"] { folder.makeDirectory(name) }
        folder.link("a/link", to: "../b/c")
        folder.link("outer", to: "a/link/x")
        let (a, b) = (BytePath(folder("a")), BytePath(folder("b")))
        let blocking = blocking(try mounts("8:1 / ext4", "8:2 \(a) ext4", "8:3 \(b) ext4"))
        let path = BytePath(folder("outer/y"))
        #expect(blocking.touched(by: path, recursive: false) == [a])
        #expect(blocking.touched(by: path, recursive: false, accessible: [a]) == [a, b])
        #expect(blocking.touched(by: path, recursive: false, accessible: [b]) == [a])
        #expect(blocking.end(of: path, accessible: []) == BytePath(folder("a/link/x/y")))
        #expect(blocking.end(of: path, accessible: [a]) == BytePath(folder("b/c/x/y")))
        #expect(blocking.end(of: path, accessible: [a, b]) == nil)
        #expect(BlockingMounts.none.end(of: path, accessible: []) == nil)
    }
}
