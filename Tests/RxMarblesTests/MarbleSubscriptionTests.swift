import RxMarbles
import Testing

@Suite struct MarbleSubscriptionTests {
    static let rows: [(text: String, subscribe: Int, unsubscribe: Int?, printed: String)] = [
        ("^", 0, nil, "^"),
        ("--^---!", 2, 6, "--^---!"),
        ("^!", 0, 1, "^!"),
        ("-(^!)", 1, 1, "-(^!)"),
        ("--^ ---", 2, nil, "--^"),
        ("10s ^ 1m !--", 10, 71, "----------^ 1m !"),
    ]

    @Test(arguments: rows) func readsAndPrintsTimes(text: String, subscribe: Int, unsubscribe: Int?, printed: String)
        throws
    {
        let subscription = try MarbleSubscription(text)
        #expect(subscription.subscribe == subscribe)
        #expect(subscription.unsubscribe == unsubscribe)
        #expect("\(subscription)" == printed)
        #expect(try MarbleSubscription(printed) == subscription)
    }

    static let errors: [(text: String, error: String)] = [
        ("", "marbles:1: no '^': mark the frame in which the observer subscribes"),
        ("---", "marbles:1: no '^': mark the frame in which the observer subscribes"),
        ("-!^", "marbles:2: '!' without '^' before it"),
        ("^-!-!", "marbles:5: a second '!': remove one of them"),
        ("^-!-^", "marbles:5: a second '^': write two diagrams"),
        ("^-a", "marbles:3: 'a' in a diagram of a subscription, which has '^' and '!'"),
        ("^-|", "marbles:3: '|' in a diagram of a subscription, which has '^' and '!'"),
        ("^-(!", "marbles:3: '(' without ')': close the group"),
    ]

    @Test(arguments: errors) func errorIsReportedAtItsColumn(text: String, message: String) {
        let error = #expect(throws: MarbleError.self) { try MarbleSubscription(text) }
        #expect(error?.description == message)
    }
}
