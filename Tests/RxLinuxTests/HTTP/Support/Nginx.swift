import CLinux
import Foundation
import TestSupport
import Testing

/// Debian's nginx on free loopback ports, with a server for each kind of certificate, started for this run of the
/// tests. It needs the packages nginx-light and openssl.
final class Nginx: Sendable {
    /// The instance that all tests share; it ends with this process.
    static let shared = Result { try started() }

    /// The folder of its files.
    let folder: String
    private let ports: [String: Int]

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "rx-nginx-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder + "/pages", withIntermediateDirectories: true)
        ports = Dictionary(uniqueKeysWithValues: zip(Self.names, try Self.freePorts(Self.names.count)))
    }

    /// The port of the server called `name`.
    func port(_ name: String) throws -> Int {
        try #require(ports[name])
    }

    /// The address of `path` on the server called `name`.
    func url(_ name: String = "plain", _ path: String = "/", host: String = "localhost") throws -> String {
        "\(["plain", "other"].contains(name) ? "http" : "https")://\(host):\(try port(name))\(path)"
    }

    /// The path of its unix socket.
    var socket: String { folder + "/socket" }

    /// Writes the page `/pages/NAME`.
    func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(folder)/pages/\(name)", atomically: true, encoding: .utf8)
    }

    // MARK: - Start

    /// Starts nginx, and retries with other ports if another program takes one first.
    private static func started() throws -> Nginx {
        for _ in 0..<5 {
            let nginx = try Nginx()
            try nginx.prepare()
            let lifeline = try nginx.start()
            if try nginx.answers() { return nginx }
            pclose(lifeline)
        }
        throw TestError("nginx does not start: are nginx-light and openssl installed?")
    }

    private func prepare() throws {
        _ = try shell("cd '\(folder)' && (\(Self.certificates)) >openssl.log 2>&1")
        try configuration { try port($0) }.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
        try "me:{PLAIN}secret\n".write(toFile: folder + "/users", atomically: true, encoding: .utf8)
        try write(String(repeating: "a compressible line\n", count: 1000), to: "long")
    }

    /// Starts a shell that runs nginx until its input ends, and then removes the folder.
    ///
    /// - Returns: the write end of its input, which the kernel closes when this process ends, however that happens.
    private func start() throws -> UnsafeMutablePointer<FILE> {
        // KILL: threads of this process may block the other signals, and child processes inherit that.
        let script = """
            exec >/dev/null 2>&1
            /usr/sbin/nginx -p '\(folder)' -c nginx.conf -e error.log </dev/null &
            read -r nothing
            kill -KILL $!
            rm -rf '\(folder)'
            """
        return try #require(popen(script, "we"))
    }

    /// Waits until nginx listens on every port; it writes a line if it cannot.
    private func answers() throws -> Bool {
        for _ in 0..<2000 {
            if ports.values.allSatisfy(Self.answers) { return true }
            guard try shell("grep -sF '[emerg]' '\(folder)/error.log' || :").isEmpty else { return false }
            poll(nil, 0, 5)
        }
        return false
    }

    private static func answers(_ port: Int) -> Bool {
        withSocket(port) { socket, address, size in connect(socket, address, size) == 0 }
    }

    /// Finds free ports; all are open at once, so that they differ.
    private static func freePorts(_ count: Int) throws -> [Int] {
        guard count > 0 else { return [] }
        return try withSocket(0) { socket, address, size in
            var size = size
            try #require(bind(socket, address, size) == 0 && getsockname(socket, address, &size) == 0)
            let port = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int($0.pointee.sin_port.bigEndian)
            }
            return [port] + (try freePorts(count - 1))
        }
    }

    private static func withSocket<Result>(
        _ port: Int, _ body: (Int32, UnsafeMutablePointer<sockaddr>, socklen_t) throws -> Result
    ) rethrows -> Result {
        let socket = Glibc.socket(AF_INET, rx_socket_stream | rx_socket_cloexec, 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return try withUnsafeMutablePointer(to: &address) {
            try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
