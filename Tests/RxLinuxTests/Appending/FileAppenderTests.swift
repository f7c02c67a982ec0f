import Glibc
import RxLinux
import TestSupport
import Testing

struct FileAppenderTests {
    private static func append(_ line: String, to file: FileAppender) -> String? {
        do throws(SystemError) {
            try file.append(Array(line.utf8))
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func append(_ line: String, to file: FileAppender) -> String? { Self.append(line, to: file) }

    @Test func linesAreAppended() {
        let folder = TemporaryDirectory()
        folder.write("a", "before\n")
        let file = FileAppender("\(folder.path)/a")
        #expect(folder.text("a") == "before\n")
        for line in ["one", "", "zwö"] { #expect(append(line, to: file) == nil) }
        #expect(folder.text("a") == "before\none\n\nzwö\n")
    }

    @Test(arguments: [0o600, 0o640, 0o666] as [UInt32]) func newFileHasGivenPermissions(mode: UInt32) {
        let folder = TemporaryDirectory()
        let file = FileAppender("\(folder.path)/a", mode: mode)
        #expect(access(folder("a"), F_OK) != 0)
        #expect(append("x", to: file) == nil)
        var status = stat()
        #expect(stat("\(folder.path)/a", &status) == 0 && status.st_mode & 0o7777 == mode)
    }

    @Test func existingFileKeepsPermissions() {
        let folder = TemporaryDirectory()
        folder.write("a", "")
        chmod("\(folder.path)/a", 0o604)
        #expect(append("x", to: FileAppender("\(folder.path)/a", mode: 0o600)) == nil)
        var status = stat()
        #expect(stat("\(folder.path)/a", &status) == 0 && status.st_mode & 0o7777 == 0o604)
    }

    @Test func rotatedFileIsReopened() {
        let folder = TemporaryDirectory()
        let file = FileAppender("\(folder.path)/a")
        #expect(append("1", to: file) == nil)
        rename("\(folder.path)/a", "\(folder.path)/b")
        #expect(append("2", to: file) == nil && append("3", to: file) == nil)
        #expect(folder.text("b") == "1\n" && folder.text("a") == "2\n3\n")
        // Another file replaces it.
        rename("\(folder.path)/b", "\(folder.path)/a")
        #expect(append("4", to: file) == nil)
        #expect(folder.text("a") == "1\n4\n")
        unlink("\(folder.path)/a")
        #expect(append("5", to: file) == nil)
        #expect(folder.text("a") == "5\n")
        // Copied and truncated, as some log rotators do.
        truncate("\(folder.path)/a", 0)
        #expect(append("6", to: file) == nil)
        #expect(folder.text("a") == "6\n")
    }

    /// An existing file is followed through a link, and a missing one is made at the link's target.
    @Test func fileIsMadeAtTargetOfLink() {
        let folder = TemporaryDirectory()
        #expect(symlink("b", "\(folder.path)/link") == 0)
        let file = FileAppender("\(folder.path)/link", mode: 0o666)
        for line in ["one", "two"] { #expect(append(line, to: file) == nil) }
        #expect(folder.text("b") == "one\ntwo\n")
        var status = stat()
        #expect(stat("\(folder.path)/b", &status) == 0 && status.st_mode & 0o777 == 0o666)
    }

    @Test func linkToMissingDirectoryFailsLine() {
        let folder = TemporaryDirectory()
        let path = "\(folder.path)/link"
        #expect(symlink("none/b", path) == 0)
        #expect(
            append("one", to: FileAppender(path))
                == "creating '\(path)', whose directory must exist: No such file or directory")
        unlink(path)
        #expect(symlink("link", path) == 0)
        #expect(
            append("one", to: FileAppender(path))
                == "opening '\(path)': Too many levels of symbolic links")
    }

    /// Anyone who can read the file can lock it: the first line is refused after a while, the next ones at once, until
    /// the lock is free.
    @Test func waitForLockOfOtherProgramIsLimited() {
        let folder = TemporaryDirectory()
        folder.write("a", "")
        let path = "\(folder.path)/a"
        let other = open(path, O_RDONLY | O_CLOEXEC)
        #expect(flock(other, LOCK_EX) == 0)
        let file = FileAppender(path)
        let refusal =
            "appending to '\(path)', which another program has locked: Resource temporarily unavailable"
        #expect(append("one", to: file) == refusal)
        // These fail at once: if each waited three seconds as the first, they would take thirty.
        let start = ContinuousClock.now
        for _ in 0..<10 { #expect(append("two", to: file) == refusal) }
        #expect(ContinuousClock.now - start < .seconds(15))
        close(other)
        #expect(append("three", to: file) == nil)
        #expect(folder.text("a") == "three\n")
    }

    @Test func missingNewlineIsAdded() {
        let folder = TemporaryDirectory()
        folder.write("a", "torn")
        let file = FileAppender("\(folder.path)/a")
        #expect(append("x", to: file) == nil && append("y", to: file) == nil)
        #expect(folder.text("a") == "torn\nx\ny\n")
    }

    @Test func failedOpenIsReportedAndRetried() {
        let folder = TemporaryDirectory()
        let path = "\(folder.path)/d/a"
        let file = FileAppender(path)
        for _ in 0..<2 {
            #expect(
                append("x", to: file) == "creating '\(path)', whose directory must exist: No such file or directory")
        }
        mkdir("\(folder.path)/d", 0o700)
        #expect(append("y", to: file) == nil)
        #expect(folder.text("d/a") == "y\n")
        unlink(path)
        mkfifo("\(folder.path)/pipe", 0o600)
        let refused: [(String, String)] = [
            (
                "\(folder.path)/pipe",
                "appending to '\(folder.path)/pipe', which is not a regular file: Invalid argument"
            ),
            ("/dev/null", "appending to '/dev/null', which is not a regular file: Invalid argument"),
            (folder.path, "opening '\(folder.path)': Is a directory"),
        ]
        for (path, message) in refused { #expect(append("x", to: FileAppender(path)) == message) }
    }

    @Test func linesOfManyWritersDoNotMix() {
        let folder = TemporaryDirectory()
        let path = "\(folder.path)/a"
        // Longer than a page, so that a torn line would show.
        let filling = String(repeating: "x", count: 6000)
        let shared = FileAppender(path)
        inParallel(4) { number in
            let file = number < 2 ? shared : FileAppender(path)
            for line in 0..<50 { _ = Self.append("\(number) \(line) \(filling)", to: file) }
        }
        let lines = folder.text("a").split(separator: "\n")
        #expect(lines.count == 200)
        for number in 0..<4 {
            let own = lines.filter { $0.hasPrefix("\(number) ") }
            #expect(own == (0..<50).map { "\(number) \($0) \(filling)" }[...].map { $0[...] })
        }
    }

    /// The limit on a file's size stands in for a full disk: the system accepts a part of a line, and then nothing.
    @Test func lineThatDoesNotFitIsRemoved() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            func limit(_ size: UInt) {
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                limit.rlim_cur = rlim_t(size)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            }
            let folder = TemporaryDirectory()
            let file = FileAppender("\(folder.path)/a")
            #expect(Self.append("123456789", to: file) == nil)
            limit(15)
            for line in ["abcdefgh", "abcdefghijk"] {
                #expect(
                    Self.append(line, to: file) == "appending to '\(folder.path)/a': File too large")
                #expect(folder.text("a") == "123456789\n")
            }
            #expect(Self.append("1234", to: file) == nil)
            #expect(Self.append("1", to: file) != nil)
            limit(100)
            #expect(Self.append("ab", to: file) == nil)
            #expect(folder.text("a") == "123456789\n1234\nab\n")
        }
    }

    @Test func appendingLinesBeyondSizeLimitKeepsWholeLines() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let folder = TemporaryDirectory()
            let file = FileAppender("\(folder.path)/a")
            folder.write("a", "0")
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            limit.rlim_cur = 12
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let (written, failure) = file.append(["abc", "def", "ghi", "j"].map { Array($0.utf8) })
            #expect(written == 2 && "\(failure.map { "\($0)" } ?? "")".hasSuffix("File too large"))
            #expect(folder.text("a") == "0\nabc\ndef\n")
            let rest = file.append([Array("j".utf8)])
            #expect(rest.written == 1 && rest.failure == nil && folder.text("a") == "0\nabc\ndef\nj\n")
            #expect(file.append([[UInt8]]()).written == 0)
        }
    }

    /// With a full disk, if one may be mounted; otherwise the part of the test that needs none.
    @Test func fullDiskRecovers() {
        let folder = TemporaryDirectory()
        let disk = "\(folder.path)/d"
        mkdir(disk, 0o700)
        let isMounted = mount("tmpfs", disk, "tmpfs", 0, "size=16k") == 0
        defer { if isMounted { umount2(disk, Int32(MNT_DETACH)) } else { unlink("\(disk)/a") } }
        let file = FileAppender("\(disk)/a")
        let line = String(repeating: "x", count: 3000)
        var taken = 0
        if isMounted {
            while taken < 100, append(line, to: file) == nil { taken += 1 }
            #expect(append(line, to: file) == "appending to '\(disk)/a': No space left on device")
            #expect(taken == 5)
        }
        let whole = String(repeating: line + "\n", count: taken)
        #expect(folder.text("d/a") == whole)
        truncate("\(disk)/a", 0)
        #expect(append(line, to: file) == nil)
        #expect(folder.text("d/a") == line + "\n")
    }

    @Test func positionOfLinesIsKnownBeforeWriting() {
        let folder = TemporaryDirectory()
        folder.write("a", "before")
        let file = FileAppender("\(folder.path)/a")
        var places: [AppendPosition] = []
        let lines = ["one", "", "three"].map { Array($0.utf8) }
        func found(_ path: String = "a", _ place: AppendPosition? = nil) -> [String] {
            (place ?? places[0]).lines(at: BytePath("\(folder.path)/\(path)"), lengths: lines.map(\.count)) {
                String(decoding: $0, as: UTF8.self)
            }
        }
        let result = file.append(
            lines,
            willWrite: {
                places.append($0)
                #expect(folder.text("a") == "before" && found() == [])
            })
        #expect(result.written == 3 && places.map(\.offset) == [7] && found() == ["one", "", "three"])
        // It is the same file under its other name.
        #expect(found("b") == ["one", "", "three"] && found("d/a") == [])
        // A line without its newline is incomplete.
        truncate("\(folder.path)/a", 15)
        #expect(folder.text("a") == "before\none\n\nthr" && found() == ["one", ""])
        truncate("\(folder.path)/a", 10)
        #expect(found() == [])
        folder.write("b", "before\none\n\nthree\n")
        #expect(found("b") == [])
        #expect(found("a", AppendPosition(device: 0, inode: 0, offset: 0)) == [])
        #expect(found("a", AppendPosition(device: places[0].device, inode: places[0].inode, offset: -5)) == [])
    }

    /// Positions and lengths may come from a damaged file.
    @Test func impossibleLineIsNotRead() throws {
        let folder = TemporaryDirectory()
        folder.write("a", "one\n")
        let path = "\(folder.path)/a"
        #expect(truncate(path, 1 << 42) == 0)
        var status = stat()
        try #require(stat(path, &status) == 0)
        let start = AppendPosition(device: UInt64(status.st_dev), inode: UInt64(status.st_ino), offset: 0)
        for length in [1 << 41, 1 << 30, .max, -1] {
            #expect(start.lines(at: BytePath(path), lengths: [3, length]) { $0.count } == [3])
        }
    }

    @Test func linesCancelledWhileNotedAreNotWritten() {
        let folder = TemporaryDirectory()
        let file = FileAppender("\(folder.path)/a")
        var isCancelled = false
        let result = file.append([Array("one".utf8)], unless: { isCancelled }, willWrite: { _ in isCancelled = true })
        #expect(result.written == 0 && result.failure?.number == ECANCELED && folder.text("a") == "")
    }
}
