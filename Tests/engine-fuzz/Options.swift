import Glibc

/// The options of the command line.
struct Options {
    private var programs: Int?
    private var seconds = 60
    private(set) var seed: UInt64 = 1
    private(set) var without: Set<String> = []

    init(_ arguments: ArraySlice<String>) {
        var rest = arguments
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { Self.fail("\(name) needs a value") }
            switch name {
            case "--programs": programs = Int(value)
            case "--seconds": seconds = Int(value) ?? 60
            case "--seed": seed = UInt64(value) ?? 1
            case "--without": without = Set(value.split(separator: ",").map(String.init))
            default: Self.fail("unknown option \(name)")
            }
        }
    }

    func goesOn(after count: Int, since begin: ContinuousClock.Instant) -> Bool {
        if let programs { return count < programs }
        return count & 63 != 0 || ContinuousClock.now - begin < .seconds(seconds)
    }

    private static func fail(_ message: String) -> Never {
        say(
            "engine-fuzz: \(message)\n"
                + "usage: engine-fuzz [--seconds N | --programs N] [--seed N] [--without NAME,NAME]", to: STDERR_FILENO)
        exit(2)
    }
}

/// Writes a line at once, unlike `print`, so that it is visible even if the process is killed.
func say(_ line: String, to file: Int32 = STDOUT_FILENO) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
}
