import CLinux
import Foundation
import RxLinux
import TestSupport
import Testing

struct ServiceSandboxTests {
    /// The sandbox of the packaged unit.
    private static var packaged: ServiceSandbox {
        var sandbox = ServiceSandbox()
        (sandbox.protectHome, sandbox.protectSystem) = ("yes", "strict")
        (sandbox.hasPrivateTmp, sandbox.hasPrivateDevices) = (true, true)
        (sandbox.protectsKernelTunables, sandbox.protectsControlGroups) = (true, true)
        sandbox.owned = ["/var/lib/rxwatchd", "/run/rxwatchd/daemon"]
        return sandbox
    }

    @Test(
        arguments: [
            ("/home/a/file", "ProtectHome=yes hides it", "ProtectHome=yes hides it"),
            ("/root", "ProtectHome=yes hides it", "ProtectHome=yes hides it"), ("/rootless", nil, "strict"),
            ("/run/user/1000", "ProtectHome=yes hides it", "ProtectHome=yes hides it"),
            ("/tmp/x", "a /tmp of its own", "a /tmp of its own"), ("/var/tmp", "a /var/tmp of its own", "own"),
            ("/dev/sda", "PrivateDevices=yes hides it", "PrivateDevices"), ("/dev/null", nil, nil),
            ("/dev/shm/x", nil, nil), ("/etc/ssl", nil, "ProtectSystem=strict makes it read-only"),
            ("/var/log/app.log", nil, "ProtectSystem=strict makes it read-only"),
            ("/var/lib/rxwatchd/events.jsonl", nil, nil), ("/var/lib/rxwatchd2/x", nil, "strict"),
            ("/sys/class/x", nil, "ProtectKernelTunables=yes makes it read-only"), ("/proc/self", nil, nil),
            ("/proc/sys/vm/x", nil, "ProtectKernelTunables"),
            ("/sys/fs/cgroup/x", nil, "ProtectControlGroups=yes makes it read-only"),
        ] as [(String, String?, String?)])
    func packagedUnit(path: String, reading: String?, writing: String?) {
        for (use, expected) in [(PathAccess.read, reading), (.write, writing)] {
            let restriction = Self.packaged.restriction(to: path, for: use)
            if let expected {
                #expect(restriction?.reason.contains(expected) == true, "\(restriction?.reason ?? "none")")
            } else {
                #expect(restriction == nil)
            }
        }
    }

    /// A path that a drop-in opens, and a rule for a longer part of the path.
    @Test func ruleForLongerPathWins() {
        var sandbox = Self.packaged
        sandbox.protectHome = "read-only"
        #expect(sandbox.restriction(to: "/home/a", for: .read) == nil)
        #expect(sandbox.restriction(to: "/home/a", for: .write)?.reason == "ProtectHome=read-only makes it read-only")
        sandbox.readWrite.append("/home/a/out")
        #expect(sandbox.restriction(to: "/home/a/out/x", for: .write) == nil)
        sandbox.protectHome = "tmpfs"
        sandbox.bound = ["/home/a"]
        #expect(sandbox.restriction(to: "/home/a/x", for: .read) == nil)
        #expect(sandbox.restriction(to: "/home/b/x", for: .read)?.reason == "ProtectHome=tmpfs hides it")
        sandbox.inaccessible = ["/home/a/secret"]
        #expect(
            sandbox.restriction(to: "/home/a/secret/x", for: .read)
                == ServiceSandbox.Restriction(.other, "InaccessiblePaths=/home/a/secret hides it"))
        #expect(ServiceSandbox().restriction(to: "/home/a", for: .write) == nil)
    }

    /// A link counts as what it leads to, also if the file below it does not exist yet, and in settings.
    @Test func linksAreFollowed() throws {
        let folder = TemporaryDirectory()
        for name in ["hidden", "data", "private"] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: false)
        }
        for (link, target) in [("inbox", "hidden"), ("out", "data"), ("state", "private")] {
            symlink(folder(target), folder(link))
        }
        var sandbox = ServiceSandbox()
        (sandbox.inaccessible, sandbox.protectSystem) = ([folder("hidden")], "strict")
        let hidden = "it is \(folder("hidden/a/b")), and InaccessiblePaths=\(folder("hidden")) hides it"
        #expect(sandbox.restriction(to: folder("inbox/a/b"), for: .read) == ServiceSandbox.Restriction(.other, hidden))
        #expect(sandbox.restriction(to: folder("out/x"), for: .write)?.cause == .readOnly)
        (sandbox.readWrite, sandbox.owned) = ([folder("out")], [folder("state")])
        for path in ["out/x", "data/x", "state/x", "private/x"] {
            #expect(sandbox.restriction(to: folder(path), for: .write) == nil, "\(path)")
        }
        // What the service owns, and what is mounted, has other permissions than the files here.
        sandbox.bound = [folder("data")]
        sandbox.user = ServiceUser(id: nil)
        #expect(chmod(folder("data"), 0o700) == 0 && chmod(folder("private"), 0o700) == 0)
        for path in ["out/x", "data/x", "state/x", "private/x"] {
            #expect(sandbox.restriction(to: folder(path), for: .write) == nil, "\(path)")
        }
    }

    /// Which bits of a mode each use needs.
    @Test(
        arguments: [
            (.read, 0o644, true), (.read, 0o640, false), (.write, 0o602, true), (.write, 0o604, false),
            (.run, 0o711, true), (.run, 0o744, false), (.connect, 0o602, true), (.connect, 0o755, false),
        ] as [(PathAccess, mode_t, Bool)])
    func usesNeedTheirBits(use: PathAccess, mode: mode_t, isAllowed: Bool) {
        let folder = TemporaryDirectory()
        folder.write("file", "")
        #expect(chmod(folder.path, 0o711) == 0 && chmod(folder("file"), mode) == 0)
        var sandbox = ServiceSandbox()
        sandbox.user = ServiceUser(id: nil)
        #expect((sandbox.restriction(to: folder("file"), for: use) == nil) == isAllowed)
        // A directory that may be entered need not be listed.
        #expect(sandbox.restriction(to: folder.path, for: .enter) == nil)
        #expect(
            sandbox.restriction(to: folder.path, for: .read)?.reason.contains("not allowed to read \(folder.path),")
                == true)
    }

    /// The list counts in place of the mode; its mask limits all but the owner and the others.
    @Test func accessControlListIsRead() throws {
        let folder = TemporaryDirectory()
        folder.write("file", "")
        #expect(chmod(folder.path, 0o755) == 0)
        func set(_ entries: [(tag: UInt16, bits: UInt16, id: UInt32)]) -> Bool {
            var bytes: [UInt8] = [2, 0, 0, 0]
            for entry in entries {
                withUnsafeBytes(of: entry.tag.littleEndian) { bytes += $0 }
                withUnsafeBytes(of: entry.bits.littleEndian) { bytes += $0 }
                withUnsafeBytes(of: entry.id.littleEndian) { bytes += $0 }
            }
            return setxattr(folder("file"), "system.posix_acl_access", bytes, bytes.count, 0) == 0
        }
        let none = UInt32.max
        let entries: [(UInt16, UInt16, UInt32)] = [
            (1, 6, none), (2, 6, 61_234), (4, 0, none), (8, 4, 61_235), (16, 4, none), (32, 0, none),
        ]
        // Not every file system has such lists.
        guard set(entries) else { return }
        func may(_ use: PathAccess, _ id: UInt32?, _ groups: Set<UInt32> = []) -> Bool {
            var sandbox = ServiceSandbox()
            sandbox.user = ServiceUser(id: id, groups: groups)
            return sandbox.restriction(to: folder("file"), for: use) == nil
        }
        #expect(may(.read, 61_234) && !may(.write, 61_234))
        #expect(may(.read, nil, [61_235]) && !may(.write, nil, [61_235]))
        #expect(!may(.read, nil) && !may(.read, nil, [getgid()]) && may(.write, getuid()))
    }
}

extension ServiceSandbox {
    fileprivate func restriction(to path: String, for use: PathAccess) -> Restriction? {
        SandboxRules(of: self).restriction(to: path, for: use)
    }
}
