extension ObservableType {
    /// An observable of these elements: each is a turn of `scheduler`, and the end is another.
    ///
    ///     of(a, b, c)     a-b-c-|
    @inlinable
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        .elements(of: elements, .of, on: scheduler)
    }

    /// An observable of an array's elements: each is a turn of `scheduler`, and the end is another.
    @inlinable
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        .elements(of: array, .from, on: scheduler)
    }

    /// An observable of a sequence's elements, pulled one at a time by an iterator of each run's own.
    @inlinable
    public static func from<Elements: Sequence>(
        _ sequence: Elements, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> where Elements.Element == Element {
        .turns(.from, on: scheduler) { sink in
            var iterator = sequence.makeIterator()
            return {
                guard let element = iterator.next() else {
                    if sink.live.isActive { sink.completed() }
                    return false
                }
                // The iterator may be the user's, who may have disposed the subscription.
                if sink.live.isActive { sink.next(element) }
                return true
            }
        }
    }
}

extension Observable {
    @inlinable
    static func elements(
        of array: [Element], _ operation: Operator, on scheduler: any ImmediateSchedulerType
    ) -> Observable<Element> {
        .turns(operation, on: scheduler) { sink in
            var index = 0
            return {
                guard index < array.count else {
                    sink.completed()
                    return false
                }
                defer { index += 1 }
                sink.next(array[index])
                return true
            }
        }
    }
}
