import Glibc

extension JQProgram {
    /// Unsets `HOME`, so that libjq does not load `~/.jq` in front of every program.
    ///
    /// An expression then means the same in the daemon and for the user who checks a config. A program calls this
    /// before anything else.
    package static func isolate() {
        unsetenv("HOME")
    }
}
