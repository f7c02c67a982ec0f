/// The exit codes that the manual promises.
package enum ExitCode {
    package static let success: Int32 = 0
    package static let failure: Int32 = 1
    package static let badConfig: Int32 = 78
}
