extension ObservableType {
    /// Emits the results of an asynchronous function for each element, in order: it runs for one element at a time.
    ///
    ///     source         --1--2-----|
    ///     mapAsync(f)    -----f1-----f2|
    ///
    /// Completes when the source has completed and the last result was emitted. Fails with the source's error or with the
    /// error that `transform` throws. Disposing cancels the task that runs, and its child tasks.
    /// `transform` runs in a task of its own, and the observer is called on the task's thread.
    ///
    /// - Parameters:
    ///   - priority: the priority of the tasks.
    ///   - transform: returns the result for an element.
    /// - Complexity: Holds the elements that wait, without bound; see ``ObservableType/counted(in:_:)``.
    @preconcurrency
    public func mapAsync<Result: Sendable>(
        priority: TaskPriority? = nil, _ transform: @escaping @Sendable (Element) async throws -> Result
    ) -> Observable<Result> {
        flatMapAsync(maxConcurrent: 1, priority: priority, transform)
    }

    /// Emits the results of an asynchronous function for each element, as they are available.
    ///
    /// The function runs for up to `maxConcurrent` elements at a time.
    ///
    ///     source                             --1--2-----|
    ///     flatMapAsync(maxConcurrent: 2)     -----f1-f2---|
    ///
    /// Completes when the source has completed and the last result was emitted. Fails with the source's error or with the
    /// first error that `transform` throws. Disposing, or an error, cancels the tasks that run, and their child tasks.
    /// `transform` runs in a task of its own for each element, and the observer is called on the tasks' threads, by one
    /// thread at a time.
    ///
    /// - Parameters:
    ///   - maxConcurrent: the number of tasks that run at the same time. A number that is not positive traps.
    ///   - priority: the priority of the tasks.
    ///   - transform: returns the result for an element.
    /// - Complexity: Holds the elements that wait, without bound; see ``ObservableType/counted(in:_:)``.
    @preconcurrency
    public func flatMapAsync<Result: Sendable>(
        maxConcurrent: Int, priority: TaskPriority? = nil,
        _ transform: @escaping @Sendable (Element) async throws -> Result
    ) -> Observable<Result> {
        precondition(
            maxConcurrent > 0, "flatMapAsync(maxConcurrent:_:): the limit must be positive, but is \(maxConcurrent)")
        return asObservable().flatMap(.mapAsync, maxConcurrent: maxConcurrent) { element in
            // Unsafe: the code that sends an element to another thread is responsible for whether it may be sent.
            nonisolated(unsafe) let element = element
            return Single<Result>.create(priority: priority) {
                do {
                    return try await transform(element)
                } catch {
                    // A cancelled task fails; nobody is interested in that.
                    throw Task.isCancelled ? error : Hooks.thrown(error, in: .mapAsync)
                }
            }
            .asObservable()
        }
    }
}
