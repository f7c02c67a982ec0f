// Operators with a timer, as marble diagrams in virtual time, where a character is a second; and schedulers.

import RxEngine
import RxEngineTest
import RxMarbles

/// Prints the diagram of a sequence: each character of an element is a value, | is completion and # an error.
func show(_ title: String, _ make: (_ source: Observable<String>, TestScheduler) -> Observable<String>) {
    let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
    let source = scheduler.createColdObservable(marbles: "-ab---c---d|")
    let result = make(source.asObservable(), scheduler)
    let observer = scheduler.start(disposed: 220) { result }
    let marbles = observer.events.flatMap { event in
        let frame = event.time - TestScheduler.Defaults.subscribed
        return switch event.value {
        case .next(let element): element.map { Marble(frame, .value($0)) }
        case .error: [Marble(frame, .error)]
        case .completed: [Marble(frame, .completion)]
        }
    }
    print(title + String(repeating: " ", count: 20 - title.count) + "\(MarbleDiagram(marbles))")
}

show("source") { source, _ in source }

// After a quiet period, or at most once in a time.
show("debounce") { $0.debounce(.seconds(2), scheduler: $1) }
show("throttle") { $0.throttle(.seconds(3), scheduler: $1) }
show("throttleFirst") { $0.throttleFirst(.seconds(3), scheduler: $1) }
show("throttleLast") { $0.throttleLast(.seconds(3), scheduler: $1) }
show("auditTime") { $0.auditTime(.seconds(3), scheduler: $1) }

// Later, until some time, or from some time on.
show("delay") { $0.delay(.seconds(3), scheduler: $1) }
show("delaySubscription") { $0.delaySubscription(.seconds(3), scheduler: $1) }
show("take(for:)") { $0.take(for: .seconds(5), scheduler: $1) }
show("takeLast(for:)") { $0.takeLast(for: .seconds(5), scheduler: $1) }
show("skip(_:scheduler:)") { $0.skip(.seconds(5), scheduler: $1) }
show("timeout") { $0.timeout(.seconds(3), scheduler: $1) }
show("timeout(_:other:)") { $0.timeout(.seconds(3), other: Observable.just("x"), scheduler: $1) }

// Collecting what arrives in a time: in arrays, or in sequences.
show("buffer") { $0.buffer(timeSpan: .seconds(5), count: 10, scheduler: $1).map { $0.joined() } }
show("first of a window") { $0.window(timeSpan: .seconds(5), count: 10, scheduler: $1).flatMap { $0.take(1) } }

// Sequences that a timer makes.
show("interval") { Observable<Int>.interval(.seconds(4), scheduler: $1).map(String.init) }
show("timer") { Observable<Int>.timer(.seconds(4), scheduler: $1).map(String.init) }
show("timer(_:period:)") { Observable<Int>.timer(.seconds(1), period: .seconds(4), scheduler: $1).map(String.init) }

// When elements arrived.
show("timeInterval") { $0.timeInterval(scheduler: $1).map { "\($0.interval.components.seconds)" } }

// A scheduler by itself: once, after some time, and again and again.
let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
_ = scheduler.scheduleRelative("later", dueTime: .seconds(5)) { state in
    print("\(scheduler.clock): \(state)")
    return Disposables.create()
}
let ticks = scheduler.schedulePeriodic(1, startAfter: .seconds(2), period: .seconds(2)) { count in
    print("\(scheduler.clock): tick \(count)")
    return count + 1
}
scheduler.advanceTo(6)
ticks.dispose()
scheduler.advanceTo(10)

// Replaying the past: the scheduler's clock holds the times of a log.
let history = HistoricalScheduler()
let log = PublishSubject<String>()
for (second, line) in [(0.0, "started"), (30, "connected"), (95, "lost the connection")] {
    _ = history.scheduleAbsoluteVirtual((), time: RxTime(timeIntervalSince1970: second)) {
        log.onNext(line)
        return Disposables.create()
    }
}
_ = log.timestamp(scheduler: history).debounce(.seconds(60), scheduler: history).subscribe(onNext: {
    print("\($0.element) at \($0.time.timeIntervalSince1970), quiet until \(history.now.timeIntervalSince1970)")
})
history.start()

// Prints:
// source              -ab---c---d|
// debounce            ----b---c--(d|)
// throttle            -a--b--c--d|
// throttleFirst       -a----c---d|
// throttleLast        ---b--c-----(d|)
// auditTime           ----b----c---(d|)
// delay               ----ab---c---d|
// delaySubscription   ----ab---c---d|
// take(for:)          -ab--|
// takeLast(for:)      -----------(cd|)
// skip(_:scheduler:)  ------c---d|
// timeout             -ab--#
// timeout(_:other:)   -ab--(x|)
// buffer              -----(ab)----(cd)|
// first of a window   -a----c----|
// interval            ----0---1---2---3
// timer               ----(0|)
// timer(_:period:)    -0---1---2---3---4
// timeInterval        -11---4---4|
// 2: tick 1
// 4: tick 2
// 5: later
// 6: tick 3
// connected at 30.0, quiet until 90.0
// lost the connection at 95.0, quiet until 155.0
