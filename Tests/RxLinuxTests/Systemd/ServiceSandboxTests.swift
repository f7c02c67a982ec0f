import Glibc
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
        for (isWritten, expected) in [(false, reading), (true, writing)] {
            let obstacle = Self.packaged.obstacle(to: path, isWritten: isWritten)
            if let expected {
                #expect(obstacle?.reason.contains(expected) == true, "\(obstacle?.reason ?? "none")")
            } else {
                #expect(obstacle == nil)
            }
        }
    }

    /// A path that a drop-in opens, and a rule for a longer part of the path.
    @Test func ruleForLongerPathWins() {
        var sandbox = Self.packaged
        sandbox.protectHome = "read-only"
        #expect(sandbox.obstacle(to: "/home/a", isWritten: false) == nil)
        #expect(sandbox.obstacle(to: "/home/a", isWritten: true)?.reason == "ProtectHome=read-only makes it read-only")
        sandbox.readWrite.append("/home/a/out")
        #expect(sandbox.obstacle(to: "/home/a/out/x", isWritten: true) == nil)
        sandbox.protectHome = "tmpfs"
        sandbox.bound = ["/home/a"]
        #expect(sandbox.obstacle(to: "/home/a/x", isWritten: false) == nil)
        #expect(sandbox.obstacle(to: "/home/b/x", isWritten: false)?.reason == "ProtectHome=tmpfs hides it")
        sandbox.inaccessible = ["/home/a/secret"]
        #expect(
            sandbox.obstacle(to: "/home/a/secret/x", isWritten: false)
                == ServiceSandbox.Obstacle(.other, "InaccessiblePaths=/home/a/secret hides it"))
        #expect(ServiceSandbox().obstacle(to: "/home/a", isWritten: true) == nil)
    }

    /// A link counts as what it leads to, also if the file below it does not exist yet.
    @Test func linksAreFollowed() {
        let folder = TemporaryDirectory()
        symlink("/home", folder("inbox"))
        #expect(
            Self.packaged.obstacle(to: folder("inbox/a/b"), isWritten: false)?.reason.contains("a /tmp of its own")
                == true)
        var sandbox = Self.packaged
        sandbox.hasPrivateTmp = false
        #expect(
            sandbox.obstacle(to: folder("inbox/a/b"), isWritten: false)
                == ServiceSandbox.Obstacle(.home, "it is /home/a/b, and ProtectHome=yes hides it"))
    }
}
