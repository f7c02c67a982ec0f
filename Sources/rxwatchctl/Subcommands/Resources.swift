import Glibc
import RxCommandLine
import RxConfigCommands
import RxControl

extension Subcommand {
    static let resources = Subcommand(
        "resources", "print the numbers of live objects of the daemon, by node and by operator", [],
        [.watch, .json, .control],
        example: "rxwatchctl resources --watch"
    ) { arguments throws(UsageError) in
        let client = try ControlClient(arguments)
        let clearing = isatty(STDOUT_FILENO) == 1 ? "\u{1B}[H\u{1B}[J" : ""
        while true {
            let code = client.run(
                .resources(columns: StandardStream.output.textColumns), asJSON: arguments.contains(.json),
                printing: { answer in
                    if arguments.contains(.watch), answer.exitCode == 0 { StandardStream.output.write(clearing) }
                    return nil
                })
            guard arguments.contains(.watch), code == ExitCode.success else { return code }
            sleep(1)
        }
    }
}

extension CommandLineOption {
    fileprivate static let watch = flag("watch", "print the tables again each second, until Ctrl-C")
}
