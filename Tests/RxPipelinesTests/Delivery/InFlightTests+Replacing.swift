import Dispatch
import RxDiagnostics
import RxEngine
import RxEngineTest
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// Sources that a reload replaces.
extension InFlightTests {
    @Test func replacingIntakeResumesFromPosition() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        func intake(inPlaceOf before: Intake?) -> Intake {
            Intake(
                "s", on: scheduler, limit: 10, backpressure: .blocks, redelivering: [], onProgress: { _ in },
                record: { _, _, _ in }, inPlaceOf: before)
        }
        let values = PublishSubject<SourceValue>()
        let first = intake(inPlaceOf: nil)
        let subscription = Observable<PipelineEvent>.source { first.run(values, into: $0) }.subscribe()
        first.open()
        #expect(first.position == nil)
        values.onNext(SourceValue(1, position: "a"))
        values.onNext(SourceValue(2, position: "b"))
        #expect(first.position == "b")
        let second = intake(inPlaceOf: first)
        #expect(second.position == "b")
        subscription.dispose()
        let other = Observable<PipelineEvent>.source { second.run(values, into: $0) }.subscribe()
        second.open()
        values.onNext(SourceValue(3, position: "c"))
        #expect(first.position == "b" && second.position == "c")
        other.dispose()
    }

    /// Until the new source replaces the old one, both read the same values.
    @Test func replacingIntakeDropsEmittedValues() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let log = Cell<[JSON]>([])
        func intake(inPlaceOf before: Intake?) -> Intake {
            Intake(
                "s", on: scheduler, limit: 10, backpressure: .blocks, redelivering: [], onProgress: { _ in },
                record: { _, _, _ in }, inPlaceOf: before)
        }
        func value(_ number: Int) -> SourceValue {
            let number = JSON.number(Double(number))
            return SourceValue(number, position: number, name: EventName.make(of: "\(number)"))
        }
        let values = PublishSubject<SourceValue>()
        let first = intake(inPlaceOf: nil)
        let old = Observable<PipelineEvent>.source { first.run(values, into: $0) }.subscribe(
            onNext: { log.append($0.value) })
        first.open()
        values.onNext(value(1))
        let second = intake(inPlaceOf: first)
        let new = Observable<PipelineEvent>.source { second.run(values, into: $0) }.subscribe(
            onNext: { log.append($0.value) })
        values.onNext(value(2))
        old.dispose()
        values.onNext(value(3))
        #expect(log.value == [1, 2] && first.position == 2 && second.position == 3)
        second.open()
        #expect(log.value == [1, 2, 3] && second.count == 0)
        new.dispose()
    }

    /// The new source has read less, or defers some of its values.
    @Test(arguments: [(10, 2), (10, 4), (1, 5), (2, 4), (1, 0)], [BackpressurePolicy.blocks, .all])
    func replacingIntakeDropsEmittedValues(limit: (inFlight: Int, read: Int), rule: BackpressurePolicy) throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let log = Cell<[JSON]>([])
        func intake(_ limit: Int, inPlaceOf before: Intake?) -> Intake {
            Intake(
                "s", on: scheduler, limit: limit, backpressure: rule, redelivering: [], onProgress: { _ in },
                record: { _, _, _ in }, inPlaceOf: before)
        }
        func value(_ number: Int) -> SourceValue {
            let number = JSON.number(Double(number))
            return SourceValue(number, position: number, name: EventName.make(of: "\(number)"))
        }
        let (ahead, behind) = (PublishSubject<SourceValue>(), PublishSubject<SourceValue>())
        let first = intake(10, inPlaceOf: nil)
        let old = Observable<PipelineEvent>.source { first.run(ahead, into: $0) }.subscribe(
            onNext: { log.append($0.value) })
        first.open()
        let second = intake(limit.inFlight, inPlaceOf: first)
        let new = Observable<PipelineEvent>.source { second.run(behind, into: $0) }.subscribe(
            onNext: { log.append($0.value) })
        for number in 1...4 { ahead.onNext(value(number)) }
        for number in 1...5 where number <= limit.read { behind.onNext(value(number)) }
        old.dispose()
        second.open()
        scheduler.advanceTo(1)
        for number in 1...6 where number > limit.read { behind.onNext(value(number)) }
        scheduler.advanceTo(2)
        #expect(log.value == [1, 2, 3, 4, 5, 6] && second.count == 0 && second.position == 6)
        new.dispose()
    }
}

extension BackpressurePolicy {
    /// A policy that keeps every value.
    fileprivate static let all = BackpressurePolicy.conflates(key: { _ in nil }, join: { $1 })
}
