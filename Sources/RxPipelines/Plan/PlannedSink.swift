import RxDiagnostics

/// A sink as the configuration describes it: an entry under `to:`.
package struct PlannedSink: Sendable {
    /// The name of the sink's kind: "http".
    package let name: String
    package let kind: any SinkKind
    /// The text of the sink in the configuration.
    let content: String
    /// The locations of the sink's templates.
    let locationCells: [SourceLocationCell]
    /// The paths that the sink uses, as far as the configuration contains them.
    var paths: [ConfiguredPath] = []
    /// The expressions in the sink's templates.
    var templateExpressions: [LocatedText] = []
}

extension FieldType where Value == PlannedSink {
    static var sink: Self {
        let kinds = Registry.sinks.type
        return FieldType(kinds.expected, schema: kinds.schema) { node, context in
            let (found, collected) = context.collecting { kinds.read(node, context) }
            return found.map { name, kind in
                PlannedSink(
                    name: name, kind: kind, content: node.content, locationCells: collected.locationCells,
                    paths: collected.usedPaths, templateExpressions: collected.templateExpressions)
            }
        }
    }
}
