import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite struct EventEqualityTests {
    struct OtherError: Error, CustomStringConvertible {
        let description: String
    }

    static let rows: [(Event<Int>, Event<Int>, Bool)] = [
        (.next(1), .next(1), true),
        (.next(1), .next(2), false),
        (.next(1), .completed, false),
        (.completed, .completed, true),
        (.completed, .error(TestError("a")), false),
        (.error(TestError("a")), .next(1), false),
        (.error(TestError("a")), .error(TestError("a")), true),
        (.error(TestError("a")), .error(TestError("b")), false),
        // Errors need not be equatable, so their descriptions are compared.
        (.error(TestError("a")), .error(OtherError(description: "a")), true),
        (.error(RxError.timeout), .error(RxError.noElements), false),
    ]

    @Test(arguments: rows) func eventsAreEqualByKindAndContent(one: Event<Int>, other: Event<Int>, areEqual: Bool) {
        #expect((one == other) == areEqual)
        #expect((other == one) == areEqual)
    }
}

@Suite struct OutcomeEqualityTests {
    static let maybes: [(MaybeEvent<Int>, MaybeEvent<Int>, Bool)] = [
        (.success(1), .success(1), true),
        (.success(1), .success(2), false),
        (.success(1), .completed, false),
        (.completed, .completed, true),
        (.error(TestError("a")), .error(TestError("a")), true),
        (.error(TestError("a")), .error(TestError("b")), false),
        (.error(TestError("a")), .completed, false),
    ]

    @Test(arguments: maybes) func maybe(one: MaybeEvent<Int>, other: MaybeEvent<Int>, areEqual: Bool) {
        #expect((one == other) == areEqual)
    }

    static let completables: [(CompletableEvent, CompletableEvent, Bool)] = [
        (.completed, .completed, true),
        (.error(TestError("a")), .error(TestError("a")), true),
        (.error(TestError("a")), .error(TestError("b")), false),
        (.error(TestError("a")), .completed, false),
    ]

    @Test(arguments: completables) func completable(one: CompletableEvent, other: CompletableEvent, areEqual: Bool) {
        #expect((one == other) == areEqual)
    }

    static let infallibles: [(InfallibleEvent<Int>, InfallibleEvent<Int>, Bool)] = [
        (.next(1), .next(1), true),
        (.next(1), .next(2), false),
        (.next(1), .completed, false),
        (.completed, .completed, true),
    ]

    @Test(arguments: infallibles) func infallible(
        one: InfallibleEvent<Int>, other: InfallibleEvent<Int>, areEqual: Bool
    ) {
        #expect((one == other) == areEqual)
    }
}
