// Sources that wait for their consumer; actors and clocks as schedulers; schedulers as executors and clocks.

import RxEngine

// A source that waits: it is at most two elements ahead of what the consumer has taken, also while they are in `mapAsync`.
func sourceThatWaits() async throws {
    let demand = Demand(limit: 2)
    let made = BehaviorRelay(value: 0)
    let numbers = AsyncStream<Int>(unfolding: {
        made.accept(made.value + 1)
        return made.value
    })
    let tens = numbers.asObservable(demand: demand).counted(in: demand) { $0.mapAsync { $0 * 10 } }
    var iterator = tens.values(demand: demand).makeAsyncIterator()
    for taken in 0..<3 {
        _ = try await made.filter { $0 == taken + 2 }.first().value
        print("demand: took \(taken), made \(made.value), next \(try await iterator.next() ?? 0)")
    }
}
try await sourceThatWaits()

// The same on the main actor: a driver of an async sequence asks for an element when the ones before are delivered.
func generate(_ numbers: ClosedRange<Int>) -> AsyncStream<Int> {
    AsyncStream { continuation in
        for number in numbers { continuation.yield(number) }
        continuation.finish()
    }
}
let one = Demand(limit: 1)
for await number in generate(1...2).asDriver(demand: one).values(demand: one) { print("driver:", number) }
for await number in generate(3...4).asSignal(demand: one).values(demand: one) { print("signal:", number) }
for await number in generate(5...6).asInfallible(demand: one).values(demand: one) { print("infallible:", number) }

// An actor as a scheduler: the observer is isolated to it.
actor Ledger {
    private(set) var lines: [String] = []

    func append(_ line: String) {
        lines.append(line)
    }
}
let ledger = Ledger()
let orders = Observable.of("tea", "milk").observe(on: ExecutorScheduler(actor: ledger))
    .do(onNext: { order in ledger.assumeIsolated { $0.append(order) } })
_ = try await orders.toArray().value
print("actor:", await ledger.lines)

// A scheduler as the executor of an actor: actions of the scheduler are isolated to the actor.
actor Counter {
    private let executor: SchedulerExecutor
    private(set) var count = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(on scheduler: any SchedulerType) {
        executor = scheduler.asExecutor()
    }

    func increment() {
        count += 1
    }
}
let queue = SerialDispatchQueueScheduler(internalSerialQueueName: "counter")
let counter = Counter(on: queue)
await counter.increment()
let ticks = Observable<Int>.interval(.milliseconds(1), scheduler: queue).take(3)
    .do(onNext: { _ in counter.assumeIsolated { $0.increment() } })
_ = try await ticks.toArray().value
print("executor:", await counter.count)

// A clock as a scheduler.
let clock = ContinuousClock()
let start = clock.now
_ = try await Observable<Int>.timer(.milliseconds(20), scheduler: ClockScheduler(clock)).first().value
print("clock: 20 ms have passed:", clock.now - start >= .milliseconds(20))

// A scheduler as a clock, here one of virtual time: two hours pass at once.
func virtualTime() {
    let scheduler = HistoricalScheduler()
    let clock = scheduler.asClock()
    let start = clock.now
    Task(executorPreference: scheduler.asExecutor()) {
        for _ in 1...2 {
            try await Task.sleep(for: .seconds(3600), clock: clock)
            print("virtual time:", start.duration(to: clock.now))
        }
    }
    scheduler.start()
}
virtualTime()

// Prints:
// demand: took 0, made 2, next 10
// demand: took 1, made 3, next 20
// demand: took 2, made 4, next 30
// driver: 1
// driver: 2
// signal: 3
// signal: 4
// infallible: 5
// infallible: 6
// actor: ["tea", "milk"]
// executor: 4
// clock: 20 ms have passed: true
// virtual time: 3600.0 seconds
// virtual time: 7200.0 seconds
