import RxEngineTest
import Testing

@Suite struct SubscriptionTests {
    @Test func onlyEndedSubscriptionHasUnsubscriptionTime() {
        #expect(Subscription(200) == Subscription(200, Int.max))
        #expect(Subscription(200, 300) != Subscription(200))
        #expect(Subscription(200, 300) != Subscription(210, 300))
        #expect(Subscription(200, 300).subscribe == 200)
        #expect(Subscription(200, 300).unsubscribe == 300)
        #expect(Set([Subscription(1, 2), Subscription(1, 2), Subscription(1)]).count == 2)
    }

    @Test(arguments: [
        (Subscription(200, 300), "(200 : 300)"),
        (Subscription(200), "(200 : never)"),
    ]) func descriptionHasSubscriptionAndUnsubscriptionTimes(subscription: Subscription, text: String) {
        #expect("\(subscription)" == text)
        #expect(String(reflecting: subscription) == text)
    }
}
