import RxDiagnostics
import RxJQ

/// What the readers of a config share: where they report problems, how they read, and what they collect for later.
///
/// Not `Sendable`: one thread reads a config.
package final class ReadingContext {
    package let report: Report
    /// Notes the keys and types that are asked for, where only the schema is wanted and nothing is read.
    let outline: SchemaOutline?
    /// Whether the source that is read is one that an event makes: it may emit once.
    let isInnerSource: Bool
    /// The locations of templates in that source: their values are not known yet.
    let templates: Set<SourceLocation>

    /// What the expressions are compiled with; `nil` for a library of their own.
    private let library: JQLibrary?
    /// The expressions read so far; they are compiled together when all of the config has been read.
    package private(set) lazy var expressions = JQBatch(library ?? JQLibrary())
    /// The locations of what will run, in the order of reading.
    private(set) var locationCells: [SourceLocationCell] = []

    /// The context of a config.
    package init(_ report: Report = Report(), _ library: JQLibrary? = nil) {
        self.report = report
        self.library = library
        outline = nil
        isInnerSource = false
        templates = []
    }

    /// The context of a source that an event makes, with the locations of the templates in it.
    init(innerSourceWith templates: Set<SourceLocation>) {
        report = Report()
        library = nil
        outline = nil
        isInnerSource = true
        self.templates = templates
    }

    /// A context that reads nothing, and notes what readers ask for.
    init(_ outline: SchemaOutline, isInnerSource: Bool) {
        report = Report()
        library = nil
        self.outline = outline
        self.isInnerSource = isInnerSource
        templates = []
    }

    /// A cell for the location of something that will run.
    func locationCell(at location: SourceLocation) -> SourceLocationCell {
        let cell = SourceLocationCell(location)
        keep(cell)
        return cell
    }

    /// Keeps the location of something that will run.
    func keep(_ cell: SourceLocationCell) {
        locationCells.append(cell)
    }
}
