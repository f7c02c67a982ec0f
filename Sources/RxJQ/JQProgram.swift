import RxDiagnostics
import RxJSON

/// A jq expression of the configuration, ready to run.
///
/// Compiling takes about 14 ms (libjq parses its builtins every time), running about a microsecond. So the expressions
/// of a configuration are collected in a ``JQBatch``, which compiles them together. Two threads can evaluate the same
/// expression at once without waiting for each other.
///
/// All of jq is allowed except what reaches out of the expression: `import` and `include` are errors, `debug` and
/// `stderr` print nothing, `input` finds no input, `halt` only ends the outputs. `JQPrelude` replaces builtins that
/// crash libjq 1.6 on some data.
package final class JQProgram: Sendable {
    /// The most outputs for one input. The limit also stops an expression that never ends, such as `repeat(.)`.
    package static let maximumOutputs = 100_000

    /// The names of the variables that the expression uses, without their `$`.
    package var variables: [String] { code.variables }
    /// The expression's first character in the configuration.
    package var location: SourceLocation { locationCell.location }
    /// The cell that holds the location, which a reload of the configuration may change.
    package let locationCell: SourceLocationCell
    private let code: JQCode

    /// Compiles an expression alone, without a watch; `variables` are the names that `run` binds.
    package convenience init(_ text: LocatedText, variables: [String] = []) throws(Diagnostics) {
        try self.init([.user(text)], variables: variables)
    }

    package convenience init(
        _ text: String, at location: SourceLocation, variables: [String] = []
    ) throws(Diagnostics) {
        try self.init(LocatedText(text, at: location), variables: variables)
    }

    /// Adds an expression to `batch`, which compiles it later and then reports its errors.
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

    /// Creates a program from pieces, compiled at once or by `batch`.
    ///
    /// - Parameters:
    ///   - pieces: the user's texts and the glue between them.
    ///   - variables: the names that `run` binds.
    ///   - location: the location for reports; `nil` for that of the first user's text.
    ///   - batch: compiles the program later; `nil` to compile it now.
    /// - Throws: the errors that are known at once.
    package init(
        _ pieces: [JQSource.Piece], variables: [String], at location: SourceLocation? = nil, in batch: JQBatch? = nil
    ) throws(Diagnostics) {
        let source = JQSource(pieces, variables: variables)
        try JQCompiler.precheck(source)
        JQRegularExpressions.setUp(for: source)
        locationCell = SourceLocationCell(
            location ?? source.users.first?.location ?? SourceLocation(file: "", line: 1, column: 1))
        if let batch {
            code = batch.add(source, variables)
        } else {
            code = JQCode(source, watch: nil)
            if let error = code.compile() { throw JQCompiler.diagnostics(for: error, source, variables) }
        }
    }

    /// Returns every output for an input. A variable without a value is null.
    ///
    /// - Parameters:
    ///   - input: the expression's input.
    ///   - values: the values of the variables by name.
    ///   - client: the client that the evaluation counts for.
    package func run(
        _ input: JSON, _ values: [String: JSON] = [:], for client: JQClient? = nil
    ) throws(JQError) -> [JSON] {
        if let remote = code.evaluator(for: .plain(input), values.mapValues { .plain($0) }) {
            return try code.run(
                .plain(input), values.mapValues { .plain($0) }, at: locationCell, for: client, by: remote
            )
            .map(\.json)
        }
        return try code.run(input, values, for: self, client: client).map(\.json)
    }

    /// Records that an evaluation took long, so that later ones go to the evaluator.
    func noteLongRun() { code.noteLongRun() }

    /// Returns every output for an input, in jq's representation if the expression runs often.
    ///
    /// - Parameters:
    ///   - input: the expression's input.
    ///   - values: the values of the variables by name; one without a value is null.
    ///   - arena: the owner of the outputs.
    package func run(
        _ input: JQValue, _ values: [String: JQValue], in arena: JQArena
    ) throws(JQError) -> [JQValue] {
        if let remote = code.evaluator(for: input, values) {
            return try code.run(input, values, at: locationCell, for: arena.client, by: remote)
        }
        if let outputs = try arena.run(code, input, values, for: self) { return outputs }
        return try code.run(input.json, values.mapValues(\.json), for: self, client: arena.client)
    }
}
