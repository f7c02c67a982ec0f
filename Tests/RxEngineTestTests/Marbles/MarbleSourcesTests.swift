import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct MarbleSourcesTests {
    private let scheduler = TestScheduler(initialClock: 0)

    @Test func coldObservableStartsAtEachSubscription() {
        let source = scheduler.createColdObservable(marbles: "-a-(bc)-|")
        #expect(source.recordedEvents == [.next(1, "a"), .next(3, "b"), .next(3, "c"), .completed(5)])
        let observer = scheduler.start { source }
        #expect(observer.events == [.next(201, "a"), .next(203, "b"), .next(203, "c"), .completed(205)])
        #expect(source.subscriptions == [Subscription(200, 205)])
    }

    @Test func hotObservableEmitsAtAbsoluteTimes() {
        let source = scheduler.createHotObservable(marbles: "-1-^-2-#", values: .digits, error: TestError("e"))
        #expect(source.recordedEvents == [.next(198, 1), .next(202, 2), .error(204, TestError("e"))])
        let other = scheduler.createHotObservable(marbles: "a-|", values: ["a": [1, 2]], startingAt: 10)
        #expect(other.recordedEvents == [.next(10, [1, 2]), .completed(12)])
        let observer = scheduler.start { source }
        #expect(observer.events == [.next(202, 2), .error(204, TestError("e"))])
    }

    @Test func timesCountInUnitsOfVirtualTime() {
        let tenths = TestScheduler(initialClock: 0, resolution: 0.1)
        #expect(tenths.createColdObservable(marbles: "a 2s |").recordedEvents == [.next(0, "a"), .completed(21)])
        #expect(scheduler.createColdObservable(marbles: "a 2s |").recordedEvents == [.next(0, "a"), .completed(3)])
    }

    @Test func hashIsMarbleFailureByDefault() {
        let events = scheduler.createColdObservable(marbles: "#").recordedEvents
        #expect(events.map(\.value.error).first is MarbleFailure)
        #expect("\(events)" == "[error(#) @ 0]")
    }

    @Test func errorIsRecordedAtTheCall() {
        let line = #line + 2
        let issues = recordedIssues {
            let source = scheduler.createColdObservable(marbles: "-a-b)", values: ["a": 1])
            #expect(source.recordedEvents == [])
            _ = scheduler.createColdObservable(marbles: "-a)")
            _ = scheduler.createHotObservable(marbles: "(a")
            _ = scheduler.createColdObservable(marbles: "-a-^-b")
        }
        #expect(
            issues.map(\.text) == [
                "marbles:5: ')' without '('", "marbles:3: ')' without '('",
                "marbles:1: '(' without ')': close the group",
                "marbles:1: a cold observable has no frames before its subscription: begin with '^'",
            ])
        #expect(issues.map(\.line) == [line, line + 2, line + 3, line + 4])
    }

    @Test func unknownValueIsRecorded() {
        let issues = recordedIssues { _ = scheduler.createColdObservable(marbles: "-a-b", values: ["a": 1]) }
        #expect(issues.map(\.text) == ["marbles:4: no value for 'b': add it to the values, or remove it"])
    }
}

@Suite struct MarbleValuesTests {
    @Test func valuesHaveNames() {
        let values: MarbleValues = ["a": 10, "b": 20, "a": 30]
        #expect([values["a"], values["b"], values["c"]] == [10, 20, nil])
        let fromDictionary = MarbleValues(["x": 1.5] as [Character: Double])
        #expect([fromDictionary["x"], fromDictionary["y"]] == [1.5, nil])
        let digits: MarbleValues<Int> = .digits
        #expect([digits["0"], digits["9"], digits["a"]] == [0, 9, nil])
        let names: MarbleValues<String> = .names
        #expect(names["a"] == "a")
        let computed = MarbleValues(computed: { $0.asciiValue })
        #expect(computed["A"] == 65)
    }
}
