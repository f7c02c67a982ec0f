import RxEngine
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct UnitSinkTests {
    @Test func eventStartsJob() async throws {
        let (bus, manager, host) = try await SinkManager.start()
        for (verb, mode) in [("start", ""), ("stop", ", mode: fail"), ("restart", ""), ("reload", "")] {
            let rig = try SinkRig("unit: { \(verb): 'done-{{.}}.service'\(mode) }", host)
            try rig.give("a", "b")
            try await rig.finish()
            #expect(rig.problems == [])
        }
        #expect(
            manager.log == [
                "StartUnit done-a.service replace", "StartUnit done-b.service replace",
                "StopUnit done-a.service fail", "StopUnit done-b.service fail",
                "RestartUnit done-a.service replace", "RestartUnit done-b.service replace",
                "ReloadUnit done-a.service replace", "ReloadUnit done-b.service replace",
            ])
        manager.stop()
        withExtendedLifetime(bus) {}
    }

    @Test func failedJobIsRecorded() async throws {
        let (bus, manager, host) = try await SinkManager.start()
        let rig = try SinkRig("unit: { reload: '{{.}}', timeout: 2s }", host)
        try rig.give("failed-a.service", "refused-b.service", "no name", "endless.service", "done-c.service")
        try await rig.finish()
        #expect(
            rig.problems == [
                "p: unit failed: reload failed-a.service: the job ended as failed; see 'systemctl status "
                    + "failed-a.service'",
                "p: unit failed: reload refused-b.service: Permission denied "
                    + "(org.freedesktop.DBus.Error.AccessDenied); a polkit rule must allow it, see "
                    + "/usr/share/rxwatchd/drop-ins/units.rules",
                "p: unit failed: 'no name' is not the name of a unit: it must end in its type, such as .service or "
                    + ".timer, and have only letters, digits and :-_.\\@",
                "p: unit failed: reload endless.service: the job did not finish within 2s; it may still be running",
            ])
        #expect(rig.records.value.map { $0[.cause] ?? "" } == (0..<5).map { "tick:\($0)" })
        #expect(rig.done == ["tick:4 p: unit done: reload done-c.service"])
        #expect(manager.log.last == "ReloadUnit done-c.service replace")
        manager.stop()
        withExtendedLifetime(bus) {}
    }

    @Test func unreachableManagerIsRecorded() async throws {
        let host = Host(units: Units(on: .address("unix:path=/nonexistent/bus")))
        let rig = try SinkRig("unit: { start: a.service }", host)
        try rig.give(1)
        try await rig.finish()
        #expect(rig.problems.count == 1)
        #expect(rig.problems.first?.hasPrefix("p: unit failed: start a.service: ") == true, "\(rig.problems)")
    }

    @Test func disposeStopsWaiting() async throws {
        let (bus, manager, host) = try await SinkManager.start()
        let rig = try SinkRig("unit: { start: endless.service, overlap: latest }", host)
        try rig.give(1, 2, 3)
        try await eventually("the job is requested") { manager.log == ["StartUnit endless.service replace"] }
        #expect(rig.sink?.queued == 2 && rig.sink?.dropped == 1)
        rig.sink?.dispose()
        #expect(rig.sink?.queued == 0 && rig.sink?.dropped == 3)
        manager.stop()
        withExtendedLifetime(bus) {}
    }
}
