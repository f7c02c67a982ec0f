import RxEngineSections
import RxJSON

/// The nodes of a status as an open page holds them: a section of sources, and one of pipelines.
///
/// It renders stages of edits as JSON, which the page applies in order. A stage has `sections`, which replace everything,
/// or edits in the order in which they are made: `updated`, `removed` and `inserted`. A place is the index of a section and
/// the index of a node in it.
struct PageNodes: SectionRenderer {
    /// A node of the status with its name, identified by the section and the name.
    typealias Node = Identified<JSON, String>

    private(set) var sections: [Section<SectionTitle, Node>] = []
    /// The stages from the nodes before.
    private(set) var stages: [JSON] = []

    /// Takes the nodes out of a status.
    ///
    /// - Returns: the sections, and the status without them.
    static func split(_ status: JSON) -> (sections: [Section<SectionTitle, Node>], rest: JSON) {
        var rest = status
        let sections = ["sources", "pipelines"].map { key in
            var members: [(key: String, value: JSON)] = []
            if case .object(let nodes) = status[key] { members = nodes.members }
            rest[key] = nil
            return Section(
                SectionTitle(key),
                items: members.map { name, node in
                    var node = node
                    node["name"] = .string(name)
                    return Identified(node, id: "\(key)/\(name)")
                })
        }
        return (sections, rest)
    }

    /// The stage that shows all nodes on a page that has none.
    var whole: [JSON] {
        let all = sections.map { section -> JSON in
            ["title": .string(section.header.value), "nodes": .array(section.items.map(\.value))]
        }
        return [["sections": .array(all)]]
    }

    mutating func replaceAll(with sections: [Section<SectionTitle, Node>]) {
        self.sections = sections
        stages = whole
    }

    mutating func apply(_ stages: [Changeset<SectionTitle, Node>]) {
        var rendered: [JSON] = []
        for stage in stages {
            sections = stage.value
            // The sections are the same in each status, so they are replaced once, and never edited.
            if stage.isReplacement || !stage.sections.isEmpty {
                rendered = whole
            } else {
                rendered.append(edits(stage))
            }
        }
        self.stages = rendered
    }

    /// The edits of nodes. One that moves is sent again.
    private func edits(_ stage: Changeset<SectionTitle, Node>) -> JSON {
        let edits = stage.items
        let removed = (edits.deleted + edits.moved.map(\.from)).sorted(by: >)
        let inserted = (edits.inserted + edits.moved.map(\.to)).sorted()
        func place(_ path: SectionPath) -> [JSON] { [.number(Double(path.section)), .number(Double(path.item))] }
        func withNodes(_ paths: [SectionPath]) -> JSON {
            .array(paths.map { .array(place($0) + [stage.value[$0.section].items[$0.item].value]) })
        }
        return [
            "updated": withNodes(edits.updated), "removed": .array(removed.map { .array(place($0)) }),
            "inserted": withNodes(inserted),
        ]
    }
}
