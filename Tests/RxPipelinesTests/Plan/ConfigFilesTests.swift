import Glibc
import RxControl
import RxDiagnostics
import TestSupport
import Testing

@testable import RxPipelines

struct ConfigFilesTests {
    private static let source = "sources: { tick: { interval: 1s } }\n"

    /// Three directories like the standard ones, lowest first.
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
            // An empty file is a configuration, and masks only files of its own name in lower directories.
            (["usr/rxwatchd.d/a.yaml": "x", "etc/rxwatchd.d/a.yaml": ""], ["etc/rxwatchd.d/a.yaml"]),
            // A mask in a lower directory is replaced as any other file.
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
    func fileOfHigherDirectoryReplacesLower(files: [String: String], expected: [String]?) throws {
        if let expected { return #expect(try find(files).paths == expected) }
        #expect(throws: Diagnostics.self) { try find(files) }
    }

    @Test(
        arguments: [
            (.start, ", or name another with --config"), (.reload, ""),
            (.check, ", or give the path of another, as in 'rxwatchctl check PATH'"),
        ] as [(ConfigPurpose, String)])
    func missingConfigNamesSearchedPaths(purpose: ConfigPurpose, advice: String) throws {
        let folder = try Folder([:])
        let error = try #require(throws: Diagnostics.self) {
            try LoadedConfig(folder.path, Substitution(), for: purpose)
        }
        #expect(
            "\(error)" == "\(folder.path)/rxwatchd.yaml:1:1: there is no configuration: neither rxwatchd.yaml nor "
                + "rxwatchd.d/*.yaml is in \(folder.path); write one\(advice)")
    }

    @Test func standardPathsAreThree() throws {
        #expect(ConfigDirectories.all == ["/etc/rxwatchd", "/run/rxwatchd", "/usr/lib/rxwatchd"])
        do {
            for file in try ConfigFiles.find(ConfigDirectories.standardPath) {
                #expect(ConfigDirectories.all.contains { file.path.hasPrefix($0) })
            }
        } catch {
            #expect("\(error)".contains("is in /etc/rxwatchd, /run/rxwatchd, /usr/lib/rxwatchd; write one"))
        }
    }

    @Test func givenFileIsReadAlone() throws {
        let folder = try Folder([
            "rxwatchd.yaml": Self.source + "pipelines: { p: { from: tick } }",
            "rxwatchd.d/q.yaml": "pipelines: { q: { from: tick } }",
        ])
        #expect(try Plan.load("\(folder.path)/rxwatchd.yaml", Substitution()).pipelines.map(\.name) == ["p"])
        for end in ["", "/"] {
            #expect(try Plan.load(folder.path + end, Substitution()).pipelines.map(\.name) == ["p", "q"])
        }
    }

    @Test func dropInsNeedNoMainFile() throws {
        let folder = try Folder([
            "rxwatchd.d/2.yaml": Self.source, "rxwatchd.d/1.yaml": "pipelines: { p: { from: tick } }",
        ])
        let config = try LoadedConfig(folder.path, Substitution())
        #expect(config.plan.summary == "1 source, 1 pipeline")
        #expect(config.files == ["\(folder.path)/rxwatchd.d/1.yaml", "\(folder.path)/rxwatchd.d/2.yaml"])
    }

    @Test func errorsNameTheirFiles() throws {
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

    @Test func invalidYAMLIsReportedForEveryFile() throws {
        let folder = try Folder(["rxwatchd.yaml": "[", "rxwatchd.d/a.yaml": "a: *b", "rxwatchd.d/b.yaml": "x: 1"])
        let error = try #require(throws: Diagnostics.self) { try Plan.load(folder.path, Substitution()) }
        #expect(
            error.list.map { String($0.location.file.dropFirst(folder.path.count)) } == [
                "/rxwatchd.yaml", "/rxwatchd.d/a.yaml",
            ])
    }

    @Test func dropInMustBeFile() throws {
        let folder = try Folder(["rxwatchd.yaml": "", "rxwatchd.d/a.yaml/x": "", "rxwatchd.d/b.yaml": Folder.pipe])
        let error = try #require(throws: Diagnostics.self) { try Plan.load(folder.path, Substitution()) }
        let place = "\(folder.path)/rxwatchd.d"
        #expect(
            error.list.map(\.description) == [
                "\(place)/a.yaml:1:1: cannot read the configuration: it is a directory; a configuration is a file",
                "\(place)/b.yaml:1:1: cannot read the configuration: it is a pipe; a configuration is a file",
            ])
    }

    @Test func danglingLinkIsError() throws {
        let folder = try Folder(["rxwatchd.yaml": "", "rxwatchd.d/x": ""])
        symlink("/nonexistent", "\(folder.path)/rxwatchd.d/a.yaml")
        let error = try #require(throws: Diagnostics.self) { try Plan.load(folder.path, Substitution()) }
        #expect(
            error.list.first?.message.contains("No such file or directory; make it readable, or remove it") == true)
    }

    @Test func dropInPathMustBeDirectory() throws {
        let folder = try Folder(["rxwatchd.yaml": "", "rxwatchd.d": ""])
        let error = try #require(throws: Diagnostics.self) { try Plan.load(folder.path, Substitution()) }
        #expect(error.list.first?.message.contains("cannot read this directory: Not a directory") == true)
    }

    /// Files that the service's commands could write into its runtime directory are not read.
    @Test(arguments: [
        ("", nil), ("run", "run"), ("run/rxwatchd.d", "run/rxwatchd.d"), ("run/rxwatchd.yaml", "run/rxwatchd.yaml"),
        ("run/rxwatchd.d/a.yaml", "run/rxwatchd.d/a.yaml"),
        // An administrator may allow others to write to his own directories.
        ("etc", nil), ("etc/rxwatchd.d/b.yaml", nil),
    ])
    func fileWritableByOthersIsNotRead(writable: String, refused: String?) throws {
        let folder = try Folder([
            "etc/rxwatchd.d/b.yaml": "", "run/rxwatchd.yaml": "", "run/rxwatchd.d/a.yaml": "",
            "run/rxwatchd.d/masked.yaml": Folder.mask, "usr/rxwatchd.yaml": "",
        ])
        let directories = ["etc", "run", "usr"].map { "\(folder.path)/\($0)" }
        for path in ["", "/rxwatchd.yaml", "/rxwatchd.d", "/rxwatchd.d/a.yaml"] {
            #expect(chmod(directories[1] + path, path.hasSuffix(".yaml") ? 0o644 : 0o755) == 0)
        }
        if !writable.isEmpty { #expect(chmod("\(folder.path)/\(writable)", 0o777) == 0) }
        let owners = [directories[1]: ConfigOwner(user: geteuid())]
        guard let refused else {
            #expect(try ConfigFiles.find(in: directories, guarding: owners).count == 3)
            return
        }
        let error = #expect(throws: Diagnostics.self) { try ConfigFiles.find(in: directories, guarding: owners) }
        #expect(error?.list.first?.location.file == "\(folder.path)/\(refused)")
        #expect(error?.list.first?.message.contains("since users other than its owner can write to it") == true)
    }

    /// The owner of a directory without a configuration does not matter.
    @Test func configOfAnotherUserIsNotRead() throws {
        let folder = try Folder(["run/rxwatchd.d/a.yaml": "", "usr/rxwatchd.yaml": ""])
        let directories = ["run", "usr"].map { "\(folder.path)/\($0)" }
        let owners = [directories[0]: ConfigOwner(user: geteuid() + 1)]
        let error = #expect(throws: Diagnostics.self) { try ConfigFiles.find(in: directories, guarding: owners) }
        #expect(error?.list.first?.message.contains("since it belongs to the user \(geteuid());") == true)
        unlink("\(directories[0])/rxwatchd.d/a.yaml")
        #expect(
            try ConfigFiles.find(in: directories, guarding: owners).map(\.path) == ["\(directories[1])/rxwatchd.yaml"])
    }
}

/// A directory with files in it, which is deleted with the object.
final class Folder {
    /// The content of a file that is a link to the null device, or a pipe, instead.
    static let mask = "\u{0}mask"
    static let pipe = "\u{0}pipe"

    private let directory = TemporaryDirectory()

    var path: String { directory.path }

    init(_ files: [String: String]) throws {
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
}
