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
        .turns(.from, on: scheduler, sequence) { sequence, sink in
            Turns(for: sink.live, (iterator: sequence.makeIterator(), sink: sink)) { state in
                let element = state.iterator.next()
                // The iterator may be the user's, who may have disposed the subscription.
                guard state.sink.live.isActive else { return false }
                if let element { state.sink.next(element) } else { state.sink.completed() }
                return element != nil
            }
        }
    }
}

extension Observable {
    @inlinable
    static func elements(
        of array: [Element], _ operation: Operator, on scheduler: any ImmediateSchedulerType
    ) -> Observable<Element> {
        .turns(operation, on: scheduler, array) { array, sink in
            Turns(for: sink.live, (index: 0, array: array, sink: sink)) { state in
                guard state.index < state.array.count else {
                    state.sink.completed()
                    return false
                }
                let element = state.array[state.index]
                state.index += 1
                state.sink.next(element)
                return true
            }
        }
    }
}
