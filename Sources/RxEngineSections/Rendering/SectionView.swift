import RxEngine

/// An object of the main actor that shows sections, which a driver can set through ``RxEngine/Reactive/sections``.
///
/// An implementation that holds a ``SectionRenderer`` passes the sections to its `update(to:)`.
@MainActor
public protocol SectionView: AnyObject, Sendable {
    /// The header of a section.
    associatedtype Header: Diffable
    /// An item of a section.
    associatedtype Item: Diffable

    /// Shows `sections` in place of those that are shown.
    func show(_ sections: [Section<Header, Item>])
}

extension Reactive where Base: SectionView {
    /// A binder that shows sections on the main thread.
    ///
    /// ```swift
    /// sections.drive(table.rx.sections).disposed(by: bag)
    /// ```
    ///
    /// It does not retain the view. Elements that arrive after the view was deallocated are dropped.
    public var sections: Binder<[Section<Base.Header, Base.Item>]> {
        Binder(base) { view, sections in view.show(sections) }
    }
}
