// Operators that show what happens in a sequence, or clean up after it, without changing its elements.

import RxEngine

struct Failure: Error {}

// A closure for each event, and for the subscription.
print("do")
let steps = Observable.of(1, 2).do(
    onNext: { print("  before \($0)") }, afterNext: { print("  after \($0)") },
    onCompleted: { print("  before completion") }, afterCompleted: { print("  after completion") },
    onSubscribe: { print("  subscribing") }, onSubscribed: { print("  subscribed") }, onDispose: { print("  disposed") }
)
_ = steps.subscribe(onNext: { print("  received \($0)") }, onCompleted: { print("  completed") })

// A line for each event. Without `debugFormat`, the lines begin with the time.
print("debug")
Hooks.debugFormat = .classic
let numbers = PublishSubject<Int>()
let doubled = numbers.map { $0 * 2 }.debug("doubled").subscribe()
numbers.onNext(1)
doubled.dispose()

// The lines may go elsewhere, in another format.
Hooks.debugOutput = { print("  log: \($0)") }
Hooks.debugFormat = DebugFormat { identifier, report in
    switch report {
    case .subscribed: "\(identifier) begins"
    case .event(let event): "\(identifier) \(event)"
    case .disposed: "\(identifier) ends"
    }
}
_ = Observable.of("a long sentence in which the middle is of no interest").debug("page", trimOutput: true).subscribe()

// One object that is notified of several sequences, whatever their elements.
print("tap")
struct Log: SequenceListener {
    func onSubscribe() { print("  subscribed") }
    func onNext(_ element: some Any) { print("  next \(element)") }
    func onDispose() { print("  disposed") }
}
_ = Observable.of(1).tap(Log()).subscribe()
_ = Observable.of("a").tap(Log()).subscribe()

// Cleaning up exactly once: after the end, after an error, or after disposal.
print("doFinally")
let ends: [(String, Observable<Int>)] = [
    ("completed", .empty()), ("failed", .error(Failure())), ("disposed", .never()),
]
for (end, sequence) in ends {
    sequence.doFinally { print("  cleaned up, \(end)") }.subscribe(onError: { _ in }).dispose()
}
_ = Observable.of(1).finally { print("  cleaned up, by its other name") }.subscribe()

// A source that never releases its observer: the chain behind the operator is released at the end all the same.
print("onTerminateDetach")
final class Page: Sendable {
    deinit { print("  the page is released") }
}
let callbacks = ReplaySubject<AnyObserver<Int>>.createUnbounded()
let leaking = Observable<Int>.create { observer in
    callbacks.onNext(observer)
    return Disposables.create()
}
do {
    let page = Page()
    let visit = leaking.onTerminateDetach().subscribe(onNext: { _ in withExtendedLifetime(page) {} })
    visit.dispose()
}
print("  the source still retains its observer")

// The places in the chain that an error has passed.
print("checkpoint")
let request = Observable.of("{", "}").map { text in if text == "{" { throw Failure() } else { text } }
_ = request.checkpoint("body").filter { !$0.isEmpty }.checkpoint("page").subscribe(onError: { error in
    print("  \(error)")
    print("  \(error.checkpoints), \(error.withoutCheckpoints)")
})

// What is alive, by the names given to sequences.
print("tag")
let tagged = numbers.map { $0 + 1 }.share().tag("api")
let (first, second) = (tagged.subscribe(), tagged.subscribe())
for account in Resources.tags { print("  \(account.name): \(account.count(of: .subscription)) subscriptions") }
first.dispose()
second.dispose()
for account in Resources.tags { print("  \(account.name): \(account.count(of: .subscription)) subscriptions") }

// An object that the closures use while it is alive. Its end ends the sequence.
print("withUnretained")
final class Screen: Sendable {
    let title = "status"

    deinit { print("  the screen is gone") }
}
var screen: Screen? = Screen()
if let screen {
    _ = numbers.withUnretained(screen).subscribe(
        onNext: { print("  \($0.title): \($1)") }, onCompleted: { print("  completed") })
}
numbers.onNext(2)
screen = nil
numbers.onNext(3)

// Prints:
// do
//   subscribing
//   subscribed
//   before 1
//   received 1
//   after 1
//   before 2
//   received 2
//   after 2
//   before completion
//   completed
//   after completion
//   disposed
// debug
// [doubled] subscribed
// [doubled] -> Event next(2)
// [doubled] dispose
//   log: page begins
//   log: page next(a long sentence...e is of no interest)
//   log: page completed
//   log: page ends
// tap
//   subscribed
//   next 1
//   disposed
//   subscribed
//   next a
//   disposed
// doFinally
//   cleaned up, completed
//   cleaned up, failed
//   cleaned up, disposed
//   cleaned up, by its other name
// onTerminateDetach
//   the page is released
//   the source still retains its observer
// checkpoint
//   Failure() (passed body, then page)
//   ["body", "page"], Failure()
// tag
//   api: 1 subscriptions
//   api: 0 subscriptions
// withUnretained
//   status: 2
//   the screen is gone
//   completed
