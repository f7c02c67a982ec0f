extension SharedSequence {
    /// A sequence that ends at once.
    ///
    ///     empty()     |
    public static func empty() -> SharedSequence {
        SharedSequence(raw: Observable.empty().subscribe(on: SharingStrategy.scheduler))
    }

    /// A sequence that tells nothing.
    ///
    ///     never()     ----->
    public static func never() -> SharedSequence {
        SharedSequence(raw: .never())
    }

    /// A sequence of one element.
    ///
    ///     just(x)     x|
    public static func just(_ element: Element) -> SharedSequence {
        SharedSequence(raw: Observable.just(element).subscribe(on: SharingStrategy.scheduler))
    }

    /// A sequence that is made anew for every run.
    @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () -> SharedSequence<SharingStrategy, Element>
    ) -> SharedSequence {
        SharedSequence(Observable.deferred { observableFactory().asObservable() })
    }

    /// A sequence of these elements: each is a turn of the scheduler, and the end is another.
    ///
    ///     of(a, b, c)     a-b-c-|
    public static func of(_ elements: Element...) -> SharedSequence {
        from(elements)
    }

    /// A sequence of an array's elements: each is a turn of the scheduler, and the end is another.
    public static func from(_ array: [Element]) -> SharedSequence {
        SharedSequence(raw: .from(array, scheduler: SharingStrategy.scheduler))
    }

    /// A sequence of a sequence's elements, pulled one at a time by an iterator of each run's own.
    public static func from<Elements: Sequence>(_ sequence: Elements) -> SharedSequence
    where Elements.Element == Element {
        SharedSequence(raw: .from(sequence, scheduler: SharingStrategy.scheduler))
    }

    /// A sequence of the one element that there is, or of none.
    public static func from(optional: Element?) -> SharedSequence {
        SharedSequence(raw: .from(optional: optional, scheduler: SharingStrategy.scheduler))
    }
}

extension SharedSequence where Element: RxAbstractInteger {
    /// Counts from 0, one number every `period`, the first after one period. Never ends.
    ///
    ///     interval(.seconds(1))     -0-1-2-3->
    public static func interval(_ period: RxTimeInterval) -> SharedSequence {
        SharedSequence(.interval(period, scheduler: SharingStrategy.scheduler))
    }

    /// Counts from 0, the first number after `dueTime` and then one every `period`. Never ends.
    ///
    ///     timer(.seconds(3), period: .seconds(1))     ---0-1-2-3->
    public static func timer(_ dueTime: RxTimeInterval, period: RxTimeInterval) -> SharedSequence {
        SharedSequence(.timer(dueTime, period: period, scheduler: SharingStrategy.scheduler))
    }
}
