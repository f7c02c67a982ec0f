extension ObservableType {
    /// Makes an observable of these elements.
    ///
    ///     of(a, b, c)     a-b-c-|
    ///
    /// Each element is one action on `scheduler`, and so is the completion after the last. By default they run on the
    /// subscribing thread. Never fails.
    ///
    /// - Parameters:
    ///   - elements: the elements.
    ///   - scheduler: delivers the events.
    @inlinable
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        .elements(of: elements, .of, on: scheduler)
    }

    /// Makes an observable of the elements of an array.
    ///
    ///     from([a, b, c])     a-b-c-|
    ///
    /// Each element is one action on `scheduler`, and so is the completion after the last. By default they run on the
    /// subscribing thread. Never fails.
    ///
    /// - Parameters:
    ///   - array: the elements.
    ///   - scheduler: delivers the events.
    @inlinable
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        .elements(of: array, .from, on: scheduler)
    }

    /// Makes an observable of the elements of a sequence.
    ///
    ///     from(sequence)      a-b-c-|
    ///
    /// Each run makes an iterator and advances it one element at a time. Each element is one action on `scheduler`, and
    /// so is the completion after the last. By default they run on the subscribing thread. Never fails.
    ///
    /// - Parameters:
    ///   - sequence: the elements; it may be infinite.
    ///   - scheduler: delivers the events.
    @inlinable
    public static func from(
        _ sequence: some Sequence<Element>, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        .loop(.from, on: scheduler, sequence) { sequence, sink in
            TrampolinedLoop(for: sink.live, (iterator: sequence.makeIterator(), sink: sink)) { state in
                let element = state.iterator.next()
                // The iterator may run the user's code, which may have disposed the subscription.
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
        .loop(operation, on: scheduler, array) { array, sink in
            TrampolinedLoop(for: sink.live, (index: 0, array: array, sink: sink)) { state in
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
