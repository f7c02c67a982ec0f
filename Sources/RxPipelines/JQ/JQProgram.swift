import Synchronization

/// A jq expression out of the config, compiled and ready to run.
///
/// Compiling takes about 14 ms (libjq reads its builtins every time), running about a microsecond. Runs exclude each
/// other: programs on different threads do not wait for one another, two threads with one program do.
///
/// Everything jq has is allowed but what would reach out of the expression: `import` and `include` are errors, `debug`
/// and `stderr` print nothing, `input` finds no input, `halt` only ends the outputs. Where libjq 1.6 crashes on data,
/// `JQPrelude` puts something better in place.
package final class JQProgram: Sendable {
    /// The most outputs one input may have. An expression that never ends (`repeat(.)`) is stopped by it.
    package static let maximumOutputs = 100_000

    /// The names bound in the expression, without their `$`.
    package let variables: [String]
    private let state: Mutex<JQState>

    /// Compiles an expression; `variables` are what `run` will bind.
    package convenience init(_ text: LocatedText, variables: [String] = []) throws(Diagnostics) {
        try self.init([.user(text)], variables: variables)
    }

    package convenience init(
        _ text: String, at location: SourceLocation, variables: [String] = []
    ) throws(Diagnostics) {
        try self.init(LocatedText(text, at: location), variables: variables)
    }

    /// jq binds variables only while it compiles. So a program with variables is fed an array of the input and their
    /// values, and takes it apart. The user's text comes last with no bracket around it: one it closes too many is a
    /// syntax error.
    init(_ pieces: [JQSource.Piece], variables: [String]) throws(Diagnostics) {
        self.variables = variables
        let names = variables.map { ",$\($0)" }.joined()
        let opening = variables.isEmpty ? ".|" : ". as [$__input\(names)]|$__input|"
        var source = JQSource(pieces: pieces)
        let prelude = JQPrelude.definitions(for: source.text)
        source.pieces.insert(.glue(prelude + opening), at: 0)
        state = Mutex(try JQCompiler.compile(source, variables: variables))
    }

    /// Every output for an input. A variable without a value is null.
    package func run(_ input: JSON, _ values: [String: JSON] = [:]) throws(JQError) -> [JSON] {
        try state.withLock { (state) throws(JQError) in
            let value = variables.isEmpty ? JV(input) : JV(array: [input] + variables.map { values[$0] ?? .null })
            return try state.run(value, limit: Self.maximumOutputs)
        }
    }
}
