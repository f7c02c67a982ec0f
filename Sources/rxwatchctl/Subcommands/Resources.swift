import Glibc
import RxCommandLine
import RxConfigCommands
import RxControl
import RxDiagnostics

extension Subcommand {
    static let resources = Subcommand(
        "resources", "print the numbers of live objects of the daemon, by node and by operator", [],
        [.watch, .json, .control],
        example: "rxwatchctl resources --watch"
    ) { arguments throws(UsageError) in
        let client = try ControlClient(arguments)
        while true {
            let code = client.run(
                .resources(columns: StandardStream.output.textColumns),
                printing: { answer in
                    guard arguments.contains(.watch), answer.exitCode == 0, let rows = StandardStream.output.rows
                    else { return nil }
                    StandardStream.output.write("\u{1B}[H\u{1B}[J")
                    return answer.message.cut(toLines: rows - 1)
                })
            guard arguments.contains(.watch), code == ExitCode.success else { return code }
            sleep(1)
        }
    }
}

extension CommandLineOption {
    fileprivate static let watch = flag("watch", "print the tables again each second, until Ctrl-C")
}
