import Dispatch
import RxControl
import RxPipelines
import TestSupport
import Testing

@testable import rxwatchd

struct CommandQueueTests {
    @Test func commandsKeepTheirOrder() {
        let commands = CommandQueue()
        commands.send(.armed(1))
        commands.send(.reload)
        commands.send(.armed(2))
        #expect([commands.next(), commands.next(), commands.next()] == [.armed(1), .reload, .armed(2)])
    }

    @Test(arguments: [DaemonCommand.stop(.signal(15)), .stop(.failure("no signals"))])
    func stopOvertakesOtherCommands(stop: DaemonCommand) {
        let commands = CommandQueue()
        commands.send(.armed(1))
        commands.send(.reload)
        commands.send(stop)
        #expect([commands.next(), commands.next(), commands.next()] == [stop, .armed(1), .reload])
    }

    @Test func queuedReloadAbsorbsAnother() {
        let commands = CommandQueue()
        for _ in 0..<3 { commands.send(.reload) }
        commands.send(.armed(1))
        commands.send(.reload)
        #expect([commands.next(), commands.next()] == [.reload, .armed(1)])
        // A reload that was taken has already read the configuration.
        commands.send(.reload)
        commands.send(.armed(2))
        #expect([commands.next(), commands.next()] == [.reload, .armed(2)])
    }

    @Test func repliesAreTakenByNextReload() {
        let commands = CommandQueue()
        let answered = Cell<[String]>([])
        commands.reload { answer in answered.append("a \(answer.message)") }
        commands.reload { answer in answered.append("b \(answer.message)") }
        #expect(commands.next() == .reload)
        for reply in commands.takeReplies() { reply(ControlAnswer("done")) }
        #expect(commands.takeReplies().isEmpty)
        #expect(answered.value == ["a done", "b done"])
    }

    @Test func reloadAfterCloseIsRefused() {
        let commands = CommandQueue()
        let answered = Cell<[String]>([])
        commands.reload { answer in answered.append("a \(answer.message)") }
        for reply in commands.close(refusing: ControlAnswer("stopping")) { reply(ControlAnswer("taken")) }
        commands.reload { answer in answered.append("b \(answer.message)") }
        #expect(answered.value == ["a taken", "b stopping"])
        #expect(commands.takeReplies().isEmpty)
    }

    @Test func nextWaitsForCommand() async throws {
        let commands = CommandQueue()
        let log = Cell<[DaemonCommand]>([])
        DispatchQueue(label: "test").async { for _ in 0..<2 { log.append(commands.next()) } }
        commands.send(.reload)
        try await eventually("the first is taken") { log.value == [.reload] }
        commands.send(.armed(2))
        try await eventually("the second is taken") { log.value == [.reload, .armed(2)] }
    }

    @Test func noCommandIsLostBetweenThreads() {
        let commands = CommandQueue()
        DispatchQueue.concurrentPerform(iterations: 4) { sender in
            for number in 0..<100 { commands.send(.armed(sender * 100 + number)) }
        }
        var numbers: Set<Int> = []
        for _ in 0..<400 { if case .armed(let number, _) = commands.next() { numbers.insert(number) } }
        #expect(numbers == Set(0..<400))
    }
}
