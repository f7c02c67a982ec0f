import RxDiagnostics
import RxJQ

/// The context that the readers of a configuration share: the report, the mode of reading, and what they collect.
///
/// Not `Sendable`: one thread reads a configuration.
package final class ReadingContext {
    package let report: Report
    /// Collects the keys and types that readers ask for, if a schema is made and nothing is read; otherwise `nil`.
    let outline: SchemaOutline?
    /// Whether an inner source is read, which may emit once.
    let isInnerSource: Bool
    /// The locations of templates in the inner source, whose values are not known yet.
    let templates: Set<SourceLocation>

    /// The library of compiled expressions; `nil` for a new one.
    private let library: JQLibrary?
    /// The expressions read so far. They are compiled together when the whole configuration has been read.
    package private(set) lazy var expressions = JQBatch(library ?? JQLibrary())
    private(set) var collected = CollectedParts()

    /// What readers collect, in the order of reading.
    struct CollectedParts {
        /// The locations of expressions, templates and steps.
        fileprivate(set) var locationCells: [SourceLocationCell] = []
        /// The paths that sources, steps and sinks use.
        fileprivate(set) var usedPaths: [ConfiguredPath] = []
        /// The expressions in templates, whose input is the value of an event.
        fileprivate(set) var templateExpressions: [LocatedText] = []
    }

    /// The context of a configuration.
    package init(_ report: Report = Report(), _ library: JQLibrary? = nil) {
        self.report = report
        self.library = library
        outline = nil
        isInnerSource = false
        templates = []
    }

    /// The context of an inner source, with the locations of its templates.
    init(innerSourceWith templates: Set<SourceLocation>) {
        report = Report()
        library = nil
        outline = nil
        isInnerSource = true
        self.templates = templates
    }

    /// A context that reads nothing, and collects what readers ask for.
    init(_ outline: SchemaOutline, isInnerSource: Bool) {
        report = Report()
        library = nil
        self.outline = outline
        self.isInnerSource = isInnerSource
        templates = []
    }

    /// Makes and keeps a cell for the location of a step.
    func locationCell(at location: SourceLocation) -> SourceLocationCell {
        let cell = SourceLocationCell(location)
        keep(cell)
        return cell
    }

    /// Notes a path that a source, a step or a sink uses, unless it is relative: a program without a slash is looked for
    /// when it is run, and an abstract socket is no file.
    func note(_ used: ConfiguredPath) {
        if used.isAbsolute { collected.usedPaths.append(used) }
    }

    /// Notes an expression of a template.
    func note(_ expression: LocatedText) {
        collected.templateExpressions.append(expression)
    }

    /// Adds a notice about a duration longer than 0 that is written as a number alone.
    func noticeUnit(of text: String, _ duration: Duration, at location: SourceLocation) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard duration > .zero, words.count == 1, let number = words.first, Double(number) != nil else { return }
        report.notice(
            "'\(number)' has no unit and is \(SystemdDuration.format(duration)); write \(number)s or \(number)ms",
            at: location)
    }

    /// Keeps the location of an expression, a template or a step.
    func keep(_ cell: SourceLocationCell) {
        collected.locationCells.append(cell)
    }

    /// Calls `read`.
    ///
    /// - Returns: its result, and what readers have collected meanwhile.
    func collecting<Value>(_ read: () -> Value) -> (value: Value, collected: CollectedParts) {
        let before = (
            collected.locationCells.count, collected.usedPaths.count, collected.templateExpressions.count
        )
        let value = read()
        var new = CollectedParts()
        new.locationCells += collected.locationCells[before.0...]
        new.usedPaths += collected.usedPaths[before.1...]
        new.templateExpressions += collected.templateExpressions[before.2...]
        return (value, new)
    }
}
