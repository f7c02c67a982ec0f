/// The exit codes that the manual promises.
package enum ExitCode {
    /// The command has succeeded.
    package static let success: Int32 = 0
    /// The command has failed.
    package static let failure: Int32 = 1
    /// The configuration has errors; this is `EX_CONFIG` of sysexits(3).
    package static let badConfig: Int32 = 78
}
