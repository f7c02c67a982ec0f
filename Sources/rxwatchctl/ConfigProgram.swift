import Glibc
import RxCommandLine
import RxControl

/// The program that runs the commands that read a configuration or the journal: rxwatchd, which is in the same directory.
enum ConfigProgram {
    /// Runs rxwatchd in place of this program, with the same arguments.
    ///
    /// - Returns: the exit code if it cannot be run.
    @Sendable
    static func run(_: Arguments) -> Int32 {
        guard let directory else {
            return fail("reading /proc/self/exe: \(String(cString: strerror(errno)))", "rxwatchd beside this one")
        }
        let path = "\(directory)/rxwatchd"
        var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) } + [nil]
        arguments[0] = strdup("rxwatchctl")
        execv(path, &arguments)
        return fail(String(cString: strerror(errno)), path)
    }

    private static func fail(_ reason: String, _ program: String) -> Int32 {
        StandardStream.error.print(
            "rxwatchctl: this command needs the program \(program), which cannot be run: \(reason)", in: .red)
        return ExitCode.failure
    }

    /// The directory of this program; `nil`, with `errno`, if it is unknown.
    private static var directory: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count)
        guard length > 0 else { return nil }
        let text = String(decoding: path.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.lastIndex(of: "/").map { String(text[..<$0]) }
    }
}
