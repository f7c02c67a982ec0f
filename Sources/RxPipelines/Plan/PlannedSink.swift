import RxDiagnostics

/// A sink as the configuration describes it: an entry under `to:`.
package struct PlannedSink: Sendable {
    /// The name of its kind: "http".
    package let name: String
    package let kind: any SinkKind
    /// Its text in the configuration.
    let content: String
    /// The locations of its templates.
    let locationCells: [SourceLocationCell]
    /// The paths that it uses, as far as the configuration contains them.
    var paths: [UsedPath] = []
}

extension FieldType where Value == PlannedSink {
    static var sink: Self {
        let kinds = Registry.sinks.type
        return FieldType(kinds.expected, schema: kinds.schema) { node, context in
            let (first, firstPath) = (context.locationCells.count, context.usedPaths.count)
            return kinds.read(node, context).map { name, kind in
                PlannedSink(
                    name: name, kind: kind, content: node.content,
                    locationCells: Array(context.locationCells[first...]), paths: Array(context.usedPaths[firstPath...])
                )
            }
        }
    }
}
