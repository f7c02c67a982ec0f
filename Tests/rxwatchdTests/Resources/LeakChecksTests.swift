import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import rxwatchd

@Suite(.balanced) struct LeakChecksTests {
    private let scheduler = TestScheduler(initialClock: 0)
    private let leaks = Cell<[String]>([])

    /// An account, and an object that is charged to it.
    private func account(_ name: String, holding isHeld: Bool = true) -> (Resources.Account, (any Disposable)?) {
        let account = Resources.Account(name)
        return (account, isHeld ? account.charge { SerialDisposable() } : nil)
    }

    private func checks() -> LeakChecks {
        LeakChecks(on: scheduler) { [leaks, scheduler] in leaks.append("\(scheduler.clock) \($0.name)") }
    }

    @Test func leaksAreFoundAfterDrain() {
        let checks = checks()
        let left: Resources.Account
        var held: (any Disposable)?
        (left, held) = account("left")
        checks.expectNothing(of: [left, account("gone", holding: false).0], after: .seconds(60)) { false }
        scheduler.advanceTo(200)
        #expect(leaks.value == ["61 left"] && checks.leaking.map(\.name) == ["left"])
        held = nil
        #expect(checks.leaking.isEmpty)
        withExtendedLifetime(held) {}
    }

    /// Nobody may ask for the leaks, and each reload may find some.
    @Test func releasedAccountsAreForgottenWithoutQuestion() {
        let checks = checks()
        weak var first: Resources.Account?
        var held: (any Disposable)?
        do {
            let (left, object) = account("first")
            (first, held) = (left, object)
            checks.expectNothing(of: [left], after: .seconds(1)) { false }
        }
        scheduler.advanceTo(10)
        #expect(leaks.value == ["2 first"] && first != nil)
        held = nil
        let second = account("second")
        checks.expectNothing(of: [second.0], after: .seconds(1)) { false }
        scheduler.advanceTo(20)
        #expect(first == nil && leaks.value.count == 2)
        withExtendedLifetime((held, second)) {}
    }

    /// The first check finds its pipelines still busy, and the second has not run yet.
    @Test func checksOfOverlappingReloadsBothRun() {
        let checks = checks()
        let (first, second) = (account("first"), account("second"))
        checks.expectNothing(of: [first.0], after: .seconds(60)) { [scheduler] in scheduler.clock < 100 }
        scheduler.advanceTo(30)
        checks.expectNothing(of: [second.0], after: .seconds(60)) { false }
        scheduler.advanceTo(200)
        #expect(leaks.value == ["91 second", "122 first"])
        withExtendedLifetime((first, second)) {}
    }

    /// A stop while the first check waits a second time, and the second check for the first time.
    @Test func stopCancelsChecksOfOverlappingReloads() {
        let checks = checks()
        let before = Resources.total
        let (first, second) = (account("first"), account("second"))
        checks.expectNothing(of: [first.0], after: .seconds(60)) { true }
        scheduler.advanceTo(30)
        checks.expectNothing(of: [second.0], after: .seconds(60)) { true }
        scheduler.advanceTo(70)
        checks.dispose()
        scheduler.advanceTo(200)
        // The two that are charged to the accounts.
        #expect(Resources.total == before + 2 && leaks.value == [])
        withExtendedLifetime((first, second)) {}
    }
}
