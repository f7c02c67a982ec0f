extension SharedSequence {
    /// Creates a sequence that completes on the strategy's scheduler.
    ///
    ///     empty()     |
    public static func empty() -> SharedSequence {
        SharedSequence(raw: Observable.empty().subscribe(on: SharingStrategy.scheduler))
    }

    /// Creates a sequence that emits nothing and never ends.
    ///
    ///     never()     ----->
    public static func never() -> SharedSequence {
        SharedSequence(raw: .never())
    }

    /// Creates a sequence that emits `element` on the strategy's scheduler and completes.
    ///
    ///     just(x)     x|
    public static func just(_ element: Element) -> SharedSequence {
        SharedSequence(raw: Observable.just(element).subscribe(on: SharingStrategy.scheduler))
    }

    /// Creates a sequence that subscribes to a new result of `observableFactory` for each run.
    ///
    /// `observableFactory` runs on the subscribing thread. The sequence completes with its result, and delivers on the
    /// strategy's scheduler.
    @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () -> SharedSequence<SharingStrategy, Element>
    ) -> SharedSequence {
        SharedSequence(Observable.deferred { observableFactory().asObservable() })
    }

    /// Creates a sequence that emits the arguments on the strategy's scheduler and completes.
    ///
    ///     of(a, b, c)     a-b-c-|
    ///
    /// Each element is one action on the scheduler, and so is the completion.
    public static func of(_ elements: Element...) -> SharedSequence {
        from(elements)
    }

    /// Creates a sequence that emits the elements of an array on the strategy's scheduler and completes.
    ///
    /// Each element is one action on the scheduler, and so is the completion.
    public static func from(_ array: [Element]) -> SharedSequence {
        SharedSequence(raw: .from(array, scheduler: SharingStrategy.scheduler))
    }

    /// Creates a sequence that emits the elements of a Swift sequence on the strategy's scheduler and completes.
    ///
    /// Each run pulls the elements, one at a time, from an iterator of its own.
    public static func from(_ sequence: some Sequence<Element>) -> SharedSequence {
        SharedSequence(raw: .from(sequence, scheduler: SharingStrategy.scheduler))
    }

    /// Creates a sequence that emits the value of an optional, if it has one, and completes.
    ///
    /// The value and the completion are one action each on the strategy's scheduler.
    public static func from(optional: Element?) -> SharedSequence {
        SharedSequence(raw: .from(optional: optional, scheduler: SharingStrategy.scheduler))
    }
}

extension SharedSequence where Element: RxAbstractInteger {
    /// Creates a sequence that counts from 0, one number every `period`, the first after one period.
    ///
    ///     interval(.seconds(1))     -0-1-2-3->
    ///
    /// It never completes.
    /// The strategy's scheduler emits the numbers.
    public static func interval(_ period: RxTimeInterval) -> SharedSequence {
        SharedSequence(.interval(period, scheduler: SharingStrategy.scheduler))
    }

    /// Creates a sequence that counts from 0, the first number after `dueTime` and then one every `period`.
    ///
    ///     timer(.seconds(3), period: .seconds(1))     ---0-1-2-3->
    ///
    /// It never completes.
    /// The strategy's scheduler emits the numbers.
    public static func timer(_ dueTime: RxTimeInterval, period: RxTimeInterval) -> SharedSequence {
        SharedSequence(.timer(dueTime, period: period, scheduler: SharingStrategy.scheduler))
    }
}
