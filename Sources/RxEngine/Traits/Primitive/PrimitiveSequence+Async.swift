extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Creates a single that runs `work` in a task for each subscription.
    ///
    /// The outcome is delivered on the task's thread. Disposing the subscription cancels the task and its child tasks; if
    /// `work` has not begun, it never does.
    ///
    /// - Parameters:
    ///   - detached: whether the task inherits nothing, such as a priority or task-local values, from the subscriber.
    ///   - priority: the priority of the task.
    ///   - work: returns the element. An error that it throws fails the single.
    @preconcurrency
    public static func create(
        detached: Bool = false, priority: TaskPriority? = nil,
        work: @escaping @Sendable () async throws -> Element
    ) -> Single<Element> {
        create { observer in
            let run: @Sendable () async -> Void = {
                if Task.isCancelled { return }
                do { observer(.success(try await work())) } catch { observer(.failure(error)) }
            }
            let task =
                detached ? Task.detached(priority: priority, operation: run) : Task(priority: priority, operation: run)
            return Disposables.create { task.cancel() }
        }
    }

    /// Subscribes and waits for the element.
    ///
    /// An error of the sequence is thrown. Cancelling the task that waits disposes the subscription and throws
    /// `CancellationError`.
    /// The task resumes on its own executor, whichever thread delivers the outcome.
    public var value: Element {
        get async throws {
            try await SingleEvent(source.awaitedOutcome()).get()
        }
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Subscribes and waits for the element, or for `nil` if the sequence completes without one.
    ///
    /// An error of the sequence is thrown. Cancelling the task that waits disposes the subscription and throws
    /// `CancellationError`.
    /// The task resumes on its own executor, whichever thread delivers the outcome.
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
    /// Subscribes and waits for the completion.
    ///
    /// An error of the sequence is thrown. Cancelling the task that waits disposes the subscription and throws
    /// `CancellationError`.
    /// The task resumes on its own executor, whichever thread delivers the outcome.
    public var value: Void {
        get async throws {
            if case .error(let error) = CompletableEvent(try await source.awaitedOutcome()) { throw error }
        }
    }
}
