/// What an operator with two sources returns: disposing it disposes both, in this order.
struct TwoSubscriptions: Disposable {
    let first: LiveSubscription
    let second: LiveSubscription

    func dispose() {
        first.dispose()
        second.dispose()
    }
}
