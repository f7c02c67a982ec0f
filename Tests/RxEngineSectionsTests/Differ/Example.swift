import RxEngineSections

/// An item of the tests: an identity, and a version that says whether it has changed.
struct Item: Identifiable, Hashable, CustomStringConvertible {
    let id: Int
    var version = 0

    var description: String { version == 0 ? "\(id)" : "\(id)v\(version)" }
}

typealias Sections = [Section<SectionTitle, Item>]
typealias Stage = Changeset<SectionTitle, Item>

/// Creates sections from text: "A 1 2v3 | B=renamed 4" has the sections A and B, the latter with a title of its own,
/// and the items 1, 2 in version 3, and 4.
func sections(_ text: String) -> Sections {
    text.split(separator: "|", omittingEmptySubsequences: true).map { part in
        let words = part.split(separator: " ")
        let title = words[0].split(separator: "=").map(String.init)
        return Section(
            SectionTitle(title[title.count - 1], id: title[0]),
            items: words.dropFirst().map { word in
                let numbers = word.split(separator: "v").compactMap { Int($0) }
                return Item(id: numbers[0], version: numbers.count > 1 ? numbers[1] : 0)
            })
    }
}

extension Edits {
    /// The edits in one line.
    var text: String {
        [("update", updated), ("delete", deleted), ("insert", inserted)]
            .filter { !$1.isEmpty }
            .map { name, places in "\(name) " + places.map { show($0) }.joined(separator: " ") }
            .joined(separator: ", ")
            + (moved.isEmpty
                ? ""
                : (count > moved.count ? ", " : "") + "move "
                    + moved.map { "\(show($0.from))>\(show($0.to))" }.joined(separator: " "))
    }

    private func show(_ place: Place) -> String {
        guard let path = place as? SectionPath else { return "\(place)" }
        return "\(path.section).\(path.item)"
    }
}

extension Changeset {
    /// The edits in one line: sections by index, items by path.
    var text: String { [sections.text, items.text].filter { !$0.isEmpty }.joined(separator: ", ") }
}
