extension JQProgram {
    /// The variable by which libjq finds `~/.jq`, which it loads in front of every program.
    ///
    /// A process that compiles expressions removes it from its environment first: an expression then means the same in
    /// the daemon and for the user who checks a configuration.
    package static let homeVariable = "HOME"
}
