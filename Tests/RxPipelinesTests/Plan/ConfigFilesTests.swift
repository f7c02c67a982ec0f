import Glibc
import RxDiagnostics
import Testing

@testable import RxPipelines

struct ConfigFilesTests {
    private static let source = "sources: { tick: { interval: 1s } }\n"

    /// Three directories, lowest first, as a user of the standard ones has them.
    private func find(_ files: [String: String]) throws -> (paths: [String], folder: Folder) {
        let folder = try Folder(files)
        let directories = ["etc", "run", "usr"].map { "\(folder.path)/\($0)" }
        let found = try ConfigFiles.find(in: directories).map { String($0.path.dropFirst(folder.path.count + 1)) }
        return (found, folder)
    }

    @Test(
        arguments: [
            (["usr/rxwatchd.yaml": ""], ["usr/rxwatchd.yaml"]),
            (["usr/rxwatchd.yaml": "", "run/rxwatchd.yaml": "", "etc/rxwatchd.yaml": ""], ["etc/rxwatchd.yaml"]),
            (["usr/rxwatchd.yaml": "", "run/rxwatchd.yaml": ""], ["run/rxwatchd.yaml"]),
            (["usr/rxwatchd.yaml": "", "etc/rxwatchd.yaml": Folder.mask], nil),
            (
                ["usr/rxwatchd.yaml": "", "etc/rxwatchd.yaml": Folder.mask, "usr/rxwatchd.d/a.yaml": ""],
                ["usr/rxwatchd.d/a.yaml"]
            ),
            (
                [
                    "etc/rxwatchd.yaml": "", "usr/rxwatchd.d/10-a.yaml": "", "etc/rxwatchd.d/05-b.yaml": "",
                    "run/rxwatchd.d/20-c.yaml": "",
                ],
                [
                    "etc/rxwatchd.yaml", "etc/rxwatchd.d/05-b.yaml", "usr/rxwatchd.d/10-a.yaml",
                    "run/rxwatchd.d/20-c.yaml",
                ]
            ),
            (
                ["usr/rxwatchd.d/a.yaml": "", "run/rxwatchd.d/a.yaml": "", "etc/rxwatchd.d/a.yaml": ""],
                ["etc/rxwatchd.d/a.yaml"]
            ),
            (["usr/rxwatchd.d/a.yaml": "", "run/rxwatchd.d/a.yaml": ""], ["run/rxwatchd.d/a.yaml"]),
            (
                ["usr/rxwatchd.d/a.yaml": "", "run/rxwatchd.d/a.yaml": Folder.mask, "usr/rxwatchd.d/b.yaml": ""],
                ["usr/rxwatchd.d/b.yaml"]
            ),
            // A file that is empty is one, and masks nothing but its own kind in lower directories.
            (["usr/rxwatchd.d/a.yaml": "x", "etc/rxwatchd.d/a.yaml": ""], ["etc/rxwatchd.d/a.yaml"]),
            // A mask in a lower directory is replaced as anything else is.
            (["usr/rxwatchd.d/a.yaml": Folder.mask, "etc/rxwatchd.d/a.yaml": ""], ["etc/rxwatchd.d/a.yaml"]),
            (
                [
                    "etc/rxwatchd.d/a.yaml": "", "etc/rxwatchd.d/.b.yaml": "", "etc/rxwatchd.d/c.yaml~": "",
                    "etc/rxwatchd.d/d.yml": "", "etc/rxwatchd.d/README": "", "etc/other.yaml": "",
                ],
                ["etc/rxwatchd.d/a.yaml"]
            ),
            (
                ["etc/rxwatchd.d/B.yaml": "", "etc/rxwatchd.d/a.yaml": "", "usr/rxwatchd.d/Z.yaml": ""],
                [
                    "etc/rxwatchd.d/B.yaml", "usr/rxwatchd.d/Z.yaml", "etc/rxwatchd.d/a.yaml",
                ]
            ),
            ([:], nil),
            (["etc/rxwatchd.d/a.yml": ""], nil),
        ] as [([String: String], [String]?)])
    func precedence(files: [String: String], expected: [String]?) throws {
        if let expected { return #expect(try find(files).paths == expected) }
        #expect(throws: Diagnostics.self) { try find(files) }
    }

    @Test func nothingAtAllSaysWhereItLooked() throws {
        let folder = try Folder([:])
        let error = try #require(throws: Diagnostics.self) { try Plan.load(folder.path, Substitution()) }
        #expect(
            "\(error)" == "\(folder.path)/rxwatchd.yaml:1:1: there is no config: neither rxwatchd.yaml nor "
                + "rxwatchd.d/*.yaml is in \(folder.path); write one, or name another with --config")
    }

    @Test func theStandardPlacesAreTheThree() throws {
        #expect(Plan.directories == ["/etc/rxwatchd", "/run/rxwatchd", "/usr/lib/rxwatchd"])
        do {
            for file in try ConfigFiles.find(Plan.standardPath) {
                #expect(Plan.directories.contains { file.path.hasPrefix($0) })
            }
        } catch {
            #expect("\(error)".contains("is in /etc/rxwatchd, /run/rxwatchd, /usr/lib/rxwatchd; write one"))
        }
    }

    @Test func aFileIsReadAlone() throws {
        let folder = try Folder([
            "rxwatchd.yaml": Self.source + "pipelines: { p: { from: tick } }",
            "rxwatchd.d/q.yaml": "pipelines: { q: { from: tick } }",
        ])
        #expect(try Plan.load("\(folder.path)/rxwatchd.yaml", Substitution()).pipelines.map(\.name) == ["p"])
        for end in ["", "/"] {
            #expect(try Plan.load(folder.path + end, Substitution()).pipelines.map(\.name) == ["p", "q"])
        }
    }

    @Test func dropInsNeedNoOtherFile() throws {
        let folder = try Folder([
            "rxwatchd.d/2.yaml": Self.source, "rxwatchd.d/1.yaml": "pipelines: { p: { from: tick } }",
        ])
        let config = try LoadedConfig(folder.path, Substitution())
        #expect(config.plan.summary == "1 source, 1 pipeline")
        #expect(config.files == ["\(folder.path)/rxwatchd.d/1.yaml", "\(folder.path)/rxwatchd.d/2.yaml"])
    }

    @Test func mistakesAreInTheirFiles() throws {
        let folder = try Folder([
            "rxwatchd.yaml": "sources: { tick: { intervall: 1s } }\n",
            "rxwatchd.d/a.yaml": "pipelines:\n  p: { form: tick }\n",
        ])
        let error = try #require(throws: Diagnostics.self) { try Plan.load(folder.path, Substitution()) }
        #expect(
            "\(error)" == """
                \(folder.path)/rxwatchd.yaml:1:20: unknown source 'intervall'; did you mean 'interval'?
                sources: { tick: { intervall: 1s } }
                                   ^
                \(folder.path)/rxwatchd.d/a.yaml:2:8: unknown key 'form' in the pipeline; did you mean 'from'?
                  p: { form: tick }
                       ^
                """)
    }

    @Test func whatIsNoYAMLIsToldOfEveryFile() throws {
        let folder = try Folder(["rxwatchd.yaml": "[", "rxwatchd.d/a.yaml": "a: *b", "rxwatchd.d/b.yaml": "x: 1"])
        let error = try #require(throws: Diagnostics.self) { try Plan.load(folder.path, Substitution()) }
        #expect(
            error.list.map { String($0.location.file.dropFirst(folder.path.count)) } == [
                "/rxwatchd.yaml", "/rxwatchd.d/a.yaml",
            ])
    }

    @Test func aDropInIsAFile() throws {
        let folder = try Folder(["rxwatchd.yaml": "", "rxwatchd.d/a.yaml/x": "", "rxwatchd.d/b.yaml": Folder.pipe])
        let error = try #require(throws: Diagnostics.self) { try Plan.load(folder.path, Substitution()) }
        let place = "\(folder.path)/rxwatchd.d"
        #expect(
            error.list.map(\.description) == [
                "\(place)/a.yaml:1:1: cannot read the config: it is a directory; a config is a file",
                "\(place)/b.yaml:1:1: cannot read the config: it is a pipe; a config is a file",
            ])
    }

    @Test func aLinkToNowhereIsAMistake() throws {
        let folder = try Folder(["rxwatchd.yaml": "", "rxwatchd.d/x": ""])
        symlink("/nonexistent", "\(folder.path)/rxwatchd.d/a.yaml")
        let error = try #require(throws: Diagnostics.self) { try Plan.load(folder.path, Substitution()) }
        #expect(
            error.list.first?.message.contains("No such file or directory; make it readable, or take it away") == true)
    }

    @Test func whatIsNoDirectory() throws {
        let folder = try Folder(["rxwatchd.yaml": "", "rxwatchd.d": ""])
        let error = try #require(throws: Diagnostics.self) { try Plan.load(folder.path, Substitution()) }
        #expect(error.list.first?.message.contains("cannot read this directory: Not a directory") == true)
    }
}

/// A directory with files in it, which goes away with the object.
final class Folder {
    /// What a file holds that is a link to the null device instead, or a pipe.
    static let mask = "\u{0}mask"
    static let pipe = "\u{0}pipe"

    let path: String

    init(_ files: [String: String]) throws {
        var template = Array("/tmp/rxwatchd-test-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for (name, text) in files {
            let parts = name.split(separator: "/")
            for count in 1..<max(parts.count, 1) {
                mkdir("\(path)/\(parts.prefix(count).joined(separator: "/"))", 0o755)
            }
            let file = "\(path)/\(name)"
            switch text {
            case Self.mask: symlink("/dev/null", file)
            case Self.pipe: mkfifo(file, 0o600)
            default:
                let descriptor = open(file, O_WRONLY | O_CREAT, 0o644)
                try #require(descriptor >= 0)
                let bytes = Array(text.utf8)
                try #require(write(descriptor, bytes, bytes.count) == bytes.count)
                close(descriptor)
            }
        }
    }

    deinit {
        remove(path)
    }

    private func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        for name in names(in: path) where name != "." && name != ".." { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
