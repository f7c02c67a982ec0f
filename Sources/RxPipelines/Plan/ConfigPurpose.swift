/// The command that reads a configuration. It decides how long a pipe is waited for, and what an error advises.
package enum ConfigPurpose: Sendable {
    /// `rxwatchd`, with or without `--check`.
    case start
    /// A reload of a running daemon.
    case reload
    /// `rxwatchctl check`.
    case check
    /// `rxwatchctl test`.
    case test
    /// `rxwatchctl show`.
    case show
    /// `rxwatchctl try` and `rxwatchctl replay`.
    case trial

    /// How long to wait for the writer of a pipe.
    var pipeWait: FileBytes.PipeWait {
        self == .reload ? .upTo(.seconds(1)) : .unlimited
    }

    /// How to read another configuration, as the end of an advice. Empty for a reload, which reads the configuration of
    /// the start.
    var choosingAnother: String {
        switch self {
        case .start: ", or name another with --config"
        case .reload: ""
        case .show: ", or give the path of another, as in 'rxwatchctl show PATH'"
        case .test: ", or give the path of another, as in 'rxwatchctl test PATH'"
        case .trial: ", or name another with --config"
        case .check: ", or give the path of another, as in 'rxwatchctl check PATH'"
        }
    }
}
