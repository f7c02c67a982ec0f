/// A renderer of sections, which shows them on a screen or elsewhere and follows their changes.
///
/// A minimal renderer shows a value as a whole. One that can do better implements ``apply(_:)``, or is a
/// ``StepwiseSectionRenderer``.
public protocol SectionRenderer<Header, Item> {
    /// The header of a section.
    associatedtype Header: Diffable
    /// An item of a section.
    associatedtype Item: Diffable

    /// The sections that are shown.
    var sections: [Section<Header, Item>] { get }

    /// Shows `sections` in place of everything that is shown.
    mutating func replaceAll(with sections: [Section<Header, Item>])

    /// Applies stages, in order. The first one starts from ``sections``.
    ///
    /// By default, shows the value of the last one as a whole.
    mutating func apply(_ stages: [Changeset<Header, Item>])
}

extension SectionRenderer {
    /// Shows the value of the last stage as a whole.
    public mutating func apply(_ stages: [Changeset<Header, Item>]) {
        if let last = stages.last { replaceAll(with: last.value) }
    }

    /// Applies the stages from ``sections`` to `new`.
    ///
    /// Replaces everything if two sections or two items have the same identity.
    ///
    /// - Complexity: that of ``SectionDiffer/changesets(from:to:)``, and what the edits cost the renderer.
    public mutating func update(to new: [Section<Header, Item>]) {
        apply(SectionDiffer.changesetsOrReplacement(from: sections, to: new))
    }
}
