// Marble diagrams: events as text, the two diagrams of a test that fails, and a law of operators that does not hold.

import RxEngine
import RxEngineTest
import RxMarbles

for marble in try MarbleDiagram("-a-(bc)- 10s -|").marbles { print("frame \(marble.frame): \(marble.mark.character)") }
do { _ = try MarbleDiagram("-a-bc)-|") } catch { print(error) }

let scheduler = TestScheduler(initialClock: 0)
let source = scheduler.createColdObservable(marbles: "-1--2|", values: .digits)
let observer = scheduler.start { source.map { $0 * 10 } }
if let difference = try observer.difference(from: "-a-b-|", values: ["a": 10, "b": 20]) { print(difference) }

let law = OperatorLaw("concat is commutative", sources: 2) {
    $0.sources[0].concat($0.sources[1])
} equals: {
    $0.sources[1].concat($0.sources[0])
}
if let failure = law.counterexample() { print(failure) }

// Prints:
// frame 1: a
// frame 3: b
// frame 3: c
// frame 16: |
// marbles:6: ')' without '('
// expected  -a-b-|
// received  -a--b|
// differs      ^^
// at 203: expected b, received nothing
// at 204: expected nothing, received b
// a = 10
// b = 20
// the law does not hold: concat is commutative
// seed 2
// source 0: cold -
// source 1: cold 1
// left     -
// right    1
// differs  ^
// frame 0: left nothing, right 1
