extension InfallibleType {
    /// This and then, once it has ended, `second`. If that fails, the result ends.
    ///
    ///     source    --1--|
    ///     second         --2--|
    ///     concat    --1----2--|
    @inlinable
    public func concat<Source: ObservableConvertibleType>(_ second: Source) -> Infallible<Element>
    where Source.Element == Element {
        Infallible(asObservable().concat(second.guarded()))
    }

    /// This and then, once it has ended, `second`, where the type is left to the compiler: `concat(.just(1))`.
    @inlinable
    public func concat(_ second: Infallible<Element>) -> Infallible<Element> {
        Infallible(asObservable().concat(second.asObservable()))
    }

    /// These, one after the other; each is taken from the sequence when the one before has ended.
    @inlinable
    public static func concat<Sources: Swift.Sequence>(_ sequence: Sources) -> Infallible<Element>
    where Sources.Element == Infallible<Element> {
        Infallible(.concat(sequence.lazy.map { $0.asObservable() }))
    }

    /// These, one after the other.
    @inlinable
    public static func concat<Sources: Swift.Collection>(_ collection: Sources) -> Infallible<Element>
    where Sources.Element == Infallible<Element> {
        Infallible(.concat(collection.map { $0.asObservable() }))
    }

    /// These, one after the other.
    @inlinable
    public static func concat(_ sources: Infallible<Element>...) -> Infallible<Element> {
        concat(sources)
    }

    /// The elements of all of these, as they come.
    ///
    ///     first     --1-----3--|
    ///     second    -----2--------|
    ///     merge     --1--2--3-----|
    @inlinable
    public static func merge<Sources: Swift.Collection>(_ sources: Sources) -> Infallible<Element>
    where Sources.Element == Infallible<Element> {
        merge(Array(sources))
    }

    /// The elements of all of these, as they come.
    @inlinable
    public static func merge(_ sources: [Infallible<Element>]) -> Infallible<Element> {
        Infallible(.merge(sources.map { $0.asObservable() }))
    }

    /// The elements of all of these, as they come.
    @inlinable
    public static func merge(_ sources: Infallible<Element>...) -> Infallible<Element> {
        merge(sources)
    }

    /// `element`, and then the sequence.
    ///
    ///     source          --1--2--|
    ///     startWith(0)    0-1--2--|
    @inlinable
    public func startWith(_ element: Element) -> Infallible<Element> {
        Infallible(asObservable().startWith(element))
    }

    /// At each element, the latest of `second`, once that has one.
    ///
    ///     source            --1-----2--3--|
    ///     second            ----a-b-------|
    ///     withLatestFrom    --------b--b--|
    @inlinable
    public func withLatestFrom<Source: InfallibleType>(_ second: Source) -> Infallible<Source.Element> {
        Infallible<Source.Element>(asObservable().withLatestFrom(second.asObservable()))
    }

    /// What `resultSelector` makes of each element and the latest of `second`, once that has one.
    @preconcurrency
    @inlinable
    public func withLatestFrom<Source: InfallibleType, Result>(
        _ second: Source, resultSelector: @escaping @Sendable (Element, Source.Element) throws -> Result
    ) -> Infallible<Result> {
        Infallible<Result>(
            guarding: asObservable().withLatestFrom(second.asObservable(), resultSelector: resultSelector))
    }

    /// Combines the latest elements of all sequences with `resultSelector` at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. An empty collection emits one result, of no elements, and completes.
    @preconcurrency
    @inlinable
    public static func combineLatest<Sources: Swift.Collection>(
        _ collection: Sources, resultSelector: @escaping @Sendable ([Sources.Element.Element]) throws -> Element
    ) -> Infallible<Element> where Sources.Element: InfallibleType {
        Infallible(
            guarding: .combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// Emits the latest elements of all sequences as an array at each element, once all have emitted.
    ///
    /// It completes when all have completed, and also at an element that arrives when all others have completed and one
    /// of them never emitted. An empty collection emits an empty array and completes.
    @inlinable
    public static func combineLatest<Sources: Swift.Collection>(_ collection: Sources) -> Infallible<[Element]>
    where Sources.Element: InfallibleType<Element> {
        Infallible<[Element]>(Observable.combineLatest(collection.map { $0.asObservable() }))
    }

    /// What `resultSelector` makes of the elements with the same index of all of these.
    @preconcurrency
    @inlinable
    public static func zip<Sources: Swift.Collection>(
        _ collection: Sources, resultSelector: @escaping @Sendable ([Sources.Element.Element]) throws -> Element
    ) -> Infallible<Element> where Sources.Element: InfallibleType {
        Infallible(guarding: .zip(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// The elements with the same index of all of these.
    @inlinable
    public static func zip<Sources: Swift.Collection>(_ collection: Sources) -> Infallible<[Element]>
    where Sources.Element: InfallibleType<Element> {
        Infallible<[Element]>(Observable.zip(collection.map { $0.asObservable() }))
    }
}
