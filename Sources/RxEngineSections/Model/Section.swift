/// A value that a differ can follow: its identity says which one it is, and equality whether it has changed.
public typealias Diffable = Identifiable & Equatable

/// A section of a list: a header, whose identity is that of the section, and items in order.
///
/// ```swift
/// Section(SectionTitle("Services (2)", id: "services"), items: [cron, sshd])
/// ```
///
/// In one value, the identities of the sections differ, and so do those of all items: an item that appears in another
/// section has moved there.
public struct Section<Header: Diffable, Item: Diffable>: Diffable {
    /// What the section shows above its items.
    public var header: Header
    /// The items, in order.
    public var items: [Item]

    /// Creates a section.
    ///
    /// - Parameters:
    ///   - header: what the section shows above its items. Its identity is that of the section.
    ///   - items: the items, in order.
    public init(_ header: Header, items: [Item]) {
        (self.header, self.items) = (header, items)
    }

    /// The identity of the header.
    public var id: Header.ID { header.id }
}

extension Section: Sendable where Header: Sendable, Item: Sendable {}
