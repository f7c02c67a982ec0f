import Dispatch
import RxEngine
import RxEngineSections
import TestSupport
import Testing

@Suite(.balanced) @MainActor struct TerminalTableTests {
    @MainActor private final class Terminal {
        var emulator: TerminalEmulator
        var writes = 0

        init(_ size: TerminalSize) {
            emulator = TerminalEmulator(size)
        }

        func write(_ output: String) {
            emulator.write(output)
            writes += 1
        }
    }

    private let terminal = Terminal(.standard)

    private func table() -> TerminalTable<SectionTitle, Item> {
        TerminalTable(
            columns: [TerminalColumn("ID") { "\($0.id)" }, TerminalColumn("VERSION") { "\($0.version)" }],
            title: \.value, write: terminal.write)
    }

    @Test func driverKeepsTheTableUpToDate() {
        let table = table()
        let relay = BehaviorRelay(value: sections("A 1 2"))
        let subscription = relay.asDriver().drive(table.rx.sections)
        #expect(terminal.emulator.lines == ["ID  VERSION", "A", "1   0", "2   0"])
        relay.accept(sections("A 1v5 | B 2"))
        #expect(terminal.emulator.lines == ["ID  VERSION", "A", "1   5", "B", "2   0"])
        #expect(table.sections == relay.value)
        #expect(terminal.emulator.lines == table.lines)
        #expect(terminal.writes == 2)
        relay.accept(relay.value)
        #expect(terminal.writes == 2)
        subscription.dispose()
        relay.accept([])
        #expect(table.sections == sections("A 1v5 | B 2"))
    }

    @Test func elementsOfOtherThreadsAreDrawnOnTheMainThread() async throws {
        let (table, source, bag) = (table(), PublishSubject<Sections>(), DisposeBag())
        source.asDriver(onErrorJustReturn: []).drive(table.rx.sections).disposed(by: bag)
        DispatchQueue(label: "elsewhere").async {
            for version in 1...5 { source.onNext([Section(SectionTitle("A"), items: [Item(id: 1, version: version)])]) }
        }
        try await eventually("the last value is shown") { terminal.emulator.lines.last == "1   5" }
    }

    @Test func valueWithDuplicatesIsShown() {
        let table = table()
        for text in ["A 1 2", "A 1 1", "A 1 2"] {
            table.show(sections(text))
            #expect(terminal.emulator.lines == table.lines)
            #expect(table.sections == sections(text))
        }
    }

    @Test func resizeAndRedrawDrawEverything() {
        let table = table()
        table.show(sections("A 1 2 3"))
        let size = TerminalSize(columns: 6, rows: 4)
        terminal.emulator.resize(to: size)
        table.resize(to: size)
        #expect(table.size == size)
        #expect(terminal.emulator.lines == ["ID  V…", "A", "1   0", "… 2 m…"])
        terminal.emulator.resize(to: size)
        table.redraw()
        #expect(terminal.emulator.lines == table.lines)
        table.close()
        #expect(terminal.emulator.isCursorVisible)
        table.show(sections("A 1"))
        #expect(terminal.emulator.lines == table.lines)
    }

    @Test func bindingDoesNotRetainTheTable() {
        let relay = BehaviorRelay(value: sections("A 1"))
        var table: TerminalTable? = table()
        weak let released = table
        let subscription = table.map { relay.asDriver().drive($0.rx.sections) }
        #expect(terminal.writes == 1)
        table = nil
        #expect(released == nil)
        relay.accept([])
        #expect(terminal.writes == 1)
        subscription?.dispose()
    }
}
