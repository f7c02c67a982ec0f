extension PrimitiveSequenceType where Trait == SingleTrait {
    /// A single whose every run is a task that does `work`. Disposing the run cancels the task.
    ///
    /// - Parameters:
    ///   - detached: whether the task inherits nothing, such as a priority or task-local values, from the subscriber.
    ///   - priority: the task's.
    ///   - work: makes the element. An error thrown by it is the single's.
    @preconcurrency
    public static func create(
        detached: Bool = false, priority: TaskPriority? = nil,
        work: @escaping @Sendable () async throws -> Element
    ) -> Single<Element> {
        create { observer in
            let run: @Sendable () async -> Void = {
                do { observer(.success(try await work())) } catch { observer(.failure(error)) }
            }
            let task =
                detached ? Task.detached(priority: priority, operation: run) : Task(priority: priority, operation: run)
            return Disposables.create { task.cancel() }
        }
    }

    /// Subscribes and waits for the element. Cancelling the task that waits disposes the subscription and throws
    /// `CancellationError`.
    public var value: Element {
        get async throws {
            try await SingleEvent(source.awaitedOutcome()).get()
        }
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Subscribes and waits for the element, `nil` where there is none. Cancelling the task that waits disposes the
    /// subscription and throws `CancellationError`.
    public var value: Element? {
        get async throws {
            switch try await source.awaitedOutcome() {
            case .success(let element): return element
            case .error(let error): throw error
            case .completed: return nil
            }
        }
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Subscribes and waits until it is done. Cancelling the task that waits disposes the subscription and throws
    /// `CancellationError`.
    public var value: Void {
        get async throws {
            if case .error(let error) = CompletableEvent(try await source.awaitedOutcome()) { throw error }
        }
    }
}
