/// The directories of the configuration unless another is named.
package enum ConfigDirectories {
    /// All of them, the most important one first.
    package static let all = ["/etc/rxwatchd", runtime, "/usr/lib/rxwatchd"]

    /// The directory among them that may belong to a service whose commands could write there.
    ///
    /// It is read only if root alone can write to it.
    package static let runtime = "/run/rxwatchd"

    /// The path that stands for all of these directories together.
    package static let standardPath = all.joined(separator: ", ")
}
