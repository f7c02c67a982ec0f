// Properties, lifetimes and notifications of objects as sequences.

import Foundation
import Observation
import RxEngine
import RxEngineFoundation

@Observable
final class Account: LifetimeHost, @unchecked Sendable {
    var name: String
    var balance = 0
    @ObservationIgnored let lifetime = Lifetime()

    init(name: String) { self.name = name }
}

let changed = Notification.Name("balance-changed")

func useAccount() {
    let account = Account(name: "savings")

    // One property.
    let names = account.rx.observe(\.name).subscribe(onNext: { print("name:", $0) })
    account.name = "pension"
    names.dispose()

    // Whatever a closure reads, of any object.
    let summaries = RxObservable.observing { [weak account] in
        account.map { "\($0.name): \($0.balance)" } ?? "none"
    }.subscribe(onNext: { print("summary:", $0) })
    account.balance = 10
    summaries.dispose()

    // A sequence that ends with an object.
    _ = NotificationCenter.default.rx.notification(changed, object: account)
        .take(until: account.lifetime.ended)
        .subscribe(onNext: { _ in print("notified") }, onCompleted: { print("the account is gone") })
    NotificationCenter.default.post(name: changed, object: account)
}
useAccount()

// Prints:
// name: savings
// name: pension
// summary: pension: 0
// summary: pension: 10
// notified
// the account is gone
