import Glibc

extension JQProgram {
    /// Keeps `~/.jq`, which libjq would put in front of every program, out of this process, so that an expression
    /// means the same to the daemon and to whoever checks its config. Called first thing in a program.
    package static func isolate() {
        unsetenv("HOME")
    }
}
