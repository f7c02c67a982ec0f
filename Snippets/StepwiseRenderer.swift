// A renderer that makes one edit at a time. It shows sections as lines of a document, and renders only what is new.

import RxEngine
import RxEngineSections

struct Unit: Identifiable, Equatable {
    let id: String
    var state: String
}

struct Document: StepwiseSectionRenderer {
    /// A section as it is rendered: its title, and its items.
    struct Part {
        var title: String
        var lines: [String]
    }

    var sections: [Section<SectionTitle, Unit>] = []
    private(set) var parts: [Part] = []

    mutating func replaceAll(with sections: [Section<SectionTitle, Unit>]) {
        self.sections = sections
        parts = sections.map { render($0) }
    }

    mutating func render(_ section: Section<SectionTitle, Unit>) -> Part {
        Part(title: section.header.value, lines: section.items.map { render($0) })
    }

    mutating func render(_ unit: Unit) -> String {
        print("renders \(unit.id)")
        return "\(unit.id): \(unit.state)"
    }

    mutating func updateHeader(_ header: SectionTitle, at index: Int) { parts[index].title = header.value }
    mutating func updateItem(_ unit: Unit, at path: SectionPath) {
        parts[path.section].lines[path.item] = render(unit)
    }

    mutating func removeSection(at index: Int) -> Part { parts.remove(at: index) }
    mutating func insertSection(_ part: Part, at index: Int) { parts.insert(part, at: index) }
    mutating func removeItem(at path: SectionPath) -> String { parts[path.section].lines.remove(at: path.item) }
    mutating func insertItem(_ line: String, at path: SectionPath) {
        parts[path.section].lines.insert(line, at: path.item)
    }
}

let before = [
    Section(SectionTitle("Services"), items: [Unit(id: "cron", state: "running"), Unit(id: "sshd", state: "running")])
]
let after = [
    Section(SectionTitle("Failed"), items: [Unit(id: "cron", state: "running")]),
    Section(
        SectionTitle("Services"), items: [Unit(id: "sshd", state: "stopping"), Unit(id: "nginx", state: "starting")]),
]

var document = Document()
document.replaceAll(with: before)
for stage in try SectionDiffer.changesets(from: before, to: after) { print(stage) }
// What moves is not rendered again.
document.update(to: after)
for part in document.parts { print(([part.title] + part.lines).joined(separator: "\n  ")) }

// Prints:
// renders cron
// renders sshd
// items: updated [section 0, item 1]
// sections: inserted [0]
// items: inserted [section 1, item 1], moved [section 1, item 0 to section 0, item 0]
// renders sshd
// renders nginx
// Failed
//   cron: running
// Services
//   sshd: stopping
//   nginx: starting
