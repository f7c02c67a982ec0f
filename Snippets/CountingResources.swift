// The live objects, and who retains them: a subscription that is not disposed shows in the counts.

import RxEngine

let subject = PublishSubject<Int>()
let account = Resources.Account("pipeline")

let subscription = account.charge {
    subject.map { $0 * 10 }.share(replay: 1).subscribe(onNext: { print("got \($0)") })
}

subject.onNext(1)
print("subscriptions: \(account.count(of: .subscription))")

subscription.dispose()
subject.onNext(2)
print("subjects: \(Resources.count(of: .subject)), observed: \(subject.hasObservers)")

// Prints:
// got 10
// subscriptions: 2
// subjects: 1, observed: false
