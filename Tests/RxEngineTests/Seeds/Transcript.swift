import RxEngine
import RxEngineTest
import TestSupport

/// What a sample prints, by a clock of milliseconds that only `wait` moves.
struct Transcript: Sendable {
    let scheduler = TestScheduler(initialClock: 0, resolution: 0.001, simulateProcessingDelay: false)
    private let box = Cell<[String]>([])

    var lines: [String] { box.value }

    func print(_ line: Any) {
        box.append("\(line)")
    }

    /// Advances the virtual time as a waiting thread would: a timer that is due at its end fires first.
    func wait(_ milliseconds: Int) {
        scheduler.advanceTo(scheduler.clock + milliseconds)
    }

    /// The samples' own interval, whose first tick is after `first` milliseconds.
    func myInterval(_ milliseconds: Int, first: Int? = nil) -> Observable<Int> {
        Observable.create { observer in
            self.print("Subscribed")
            let timer = scheduler.schedulePeriodic(
                0, startAfter: .milliseconds(first ?? milliseconds), period: .milliseconds(milliseconds)
            ) { tick in
                observer.on(.next(tick))
                return tick + 1
            }
            return Disposables.create {
                self.print("Disposed")
                timer.dispose()
            }
        }
    }
}
