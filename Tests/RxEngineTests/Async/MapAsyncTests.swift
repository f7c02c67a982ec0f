import RxEngine
import TestSupport
import Testing

@Suite(.balancedUnrecorded) struct MapAsyncTests {
    /// What a sequence emits, until it ends.
    private func events(of source: Observable<Int>) async throws -> [String] {
        let log = Cell<[String]>([])
        let isOver = Cell(false)
        let subscription = source.subscribe(
            onNext: { log.append("\($0)") }, onError: { log.append("\($0)") }, onCompleted: { log.append("completed") },
            onDisposed: { isOver.update { $0 = true } })
        try await eventually("the sequence has ended: \(log.value)") { isOver.value }
        subscription.dispose()
        return log.value
    }

    @Test func resultsAreInOrder() async throws {
        let source = Observable.of(3, 2, 1).mapAsync { value in
            for _ in 0..<value * 10 { await Task.yield() }
            return value * 10
        }
        #expect(try await events(of: source) == ["30", "20", "10", "completed"])
    }

    @Test func atMostSoManyTasksRun() async throws {
        let running = Cell(0)
        let most = Cell(0)
        let source = Observable.from(Array(0..<20)).flatMapAsync(maxConcurrent: 3) { value in
            running.update { $0 += 1 }
            let now = running.value
            most.update { $0 = max($0, now) }
            for _ in 0..<20 { await Task.yield() }
            running.update { $0 -= 1 }
            return value
        }
        let found = try await events(of: source)
        #expect(Set(found) == Set((0..<20).map(String.init) + ["completed"]) && found.count == 21)
        #expect((1...3).contains(most.value))
    }

    @Test func errorOfTaskEndsResult() async throws {
        let source = Observable.of(1, 2, 3).mapAsync { value in
            if value == 2 { throw TestError("two") }
            return value
        }
        #expect(try await events(of: source) == ["1", "two"])
    }

    #if TRACE_RESOURCES
    @Test func graphNamesOperator() async throws {
        Resources.recording = .subscriptions
        defer { Resources.recording = .off }
        let subject = PublishSubject<Int>()
        let isRunning = Cell(false)
        let subscription = subject.mapAsync { value in
            isRunning.update { $0 = true }
            while !Task.isCancelled { await Task.yield() }
            return value
        }.subscribe()
        subject.onNext(1)
        try await eventually("the task runs") { isRunning.value }
        #expect(
            Resources.graph().text(withTimes: false) == """
                subscription
                  mapAsync
                    publishSubject
                    create
                """)
        subscription.dispose()
    }
    #endif

    @Test func disposingCancelsTask() async throws {
        let isRunning = Cell(false)
        let isCancelled = Cell(false)
        let subscription = Observable.just(1).mapAsync { value in
            isRunning.update { $0 = true }
            while !Task.isCancelled { await Task.yield() }
            isCancelled.update { $0 = true }
            return value
        }.subscribe()
        try await eventually("the task runs") { isRunning.value }
        subscription.dispose()
        try await eventually("the task is cancelled") { isCancelled.value }
    }
}
