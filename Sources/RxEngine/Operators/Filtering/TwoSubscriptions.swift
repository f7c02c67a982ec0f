/// The disposable of an operator with two sources: it disposes `first`, then `second`.
struct TwoSubscriptions: Disposable {
    let first: LiveSubscription
    let second: LiveSubscription

    func dispose() {
        first.dispose()
        second.dispose()
    }
}
