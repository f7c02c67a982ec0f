import RxDiagnostics
import RxJSON

/// A jq expression out of the config, ready to run.
///
/// Compiling takes about 14 ms (libjq reads its builtins every time), running about a microsecond. So the expressions
/// of a config are put into a ``JQBatch``, which compiles them together. An expression that is used from two threads at
/// once does not have one wait for the other.
///
/// Everything jq has is allowed but what would reach out of the expression: `import` and `include` are errors, `debug`
/// and `stderr` print nothing, `input` finds no input, `halt` only ends the outputs. Where libjq 1.6 crashes on data,
/// `JQPrelude` puts something better in place.
package final class JQProgram: Sendable {
    /// The most outputs one input may have. An expression that never ends (`repeat(.)`) is stopped by it.
    package static let maximumOutputs = 100_000

    /// The names bound in the expression that it uses, without their `$`.
    package var variables: [String] { code.variables }
    /// Where it begins.
    package var location: SourceLocation { place.location }
    package let place: SourceLocationCell
    private let code: JQCode

    /// An expression that nobody watches, compiled by itself; `variables` are what `run` will bind.
    package convenience init(_ text: LocatedText, variables: [String] = []) throws(Diagnostics) {
        try self.init([.user(text)], variables: variables)
    }

    package convenience init(
        _ text: String, at location: SourceLocation, variables: [String] = []
    ) throws(Diagnostics) {
        try self.init(LocatedText(text, at: location), variables: variables)
    }

    /// An expression that `batch` will compile, and find mistakes in.
    package convenience init(
        _ text: LocatedText, variables: [String] = [], in batch: JQBatch
    ) throws(Diagnostics) {
        try self.init([.user(text)], variables: variables, in: batch)
    }

    package convenience init(
        _ text: String, at location: SourceLocation, variables: [String] = [], in batch: JQBatch
    ) throws(Diagnostics) {
        try self.init(LocatedText(text, at: location), variables: variables, in: batch)
    }

    /// `location` is where it is said to be; `nil` for where the first expression in it begins.
    package init(
        _ pieces: [JQSource.Piece], variables: [String], at location: SourceLocation? = nil, in batch: JQBatch? = nil
    ) throws(Diagnostics) {
        let source = JQSource(pieces, variables: variables)
        try JQCompiler.precheck(source)
        JQRegularExpressions.setUp(for: source)
        place = SourceLocationCell(
            location ?? source.users.first?.location ?? SourceLocation(file: "", line: 1, column: 1))
        if let batch {
            code = batch.add(source, variables)
        } else {
            code = JQCode(source, watch: nil)
            if let error = code.compile() { throw JQCompiler.diagnostics(for: error, source, variables) }
        }
    }

    /// Every output for an input. A variable without a value is null.
    package func run(_ input: JSON, _ values: [String: JSON] = [:]) throws(JQError) -> [JSON] {
        try code.run(input, values, for: self).map(\.json)
    }

    /// The same, with outputs that stay in jq's representation if the expression is run often.
    package func run(
        _ input: JQValue, _ values: [String: JQValue], in arena: JQArena
    ) throws(JQError) -> [JQValue] {
        if let outputs = try arena.run(code, input, values, for: self) { return outputs }
        return try code.run(input.json, values.mapValues(\.json), for: self)
    }
}
