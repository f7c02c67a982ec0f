import RxJSON
import Testing

@testable import rxwatchd

/// What nodes do while the history for a new page is made.
struct EarlyNotificationsTests {
    @Test func messagesAreHeldUntilReleased() {
        var early = EarlyNotifications(maximumBytes: 100)
        let holds = [early.hold([1, 2]), early.hold([3])]
        #expect(holds == [true, true])
        #expect(early.release() == [1, 2, 3])
        let holdsLater = early.hold([4])
        #expect(!holdsLater && early.release() == [])
    }

    /// The page learns of those that had no room at once, not with the next one.
    @Test func missingMessagesAreAnnounced() {
        var early = EarlyNotifications(maximumBytes: 10)
        let holds = [8, 4, 2, 1].map { early.hold(Array(repeating: 120, count: $0)) }
        #expect(holds == [true, true, true, true])
        let text = String(decoding: early.release(), as: UTF8.self)
        #expect(text == "xxxxxxxxxxevent: notification\ndata: {\"missing\":2}\n\n")
    }
}
