import RxControl
import RxDiagnostics
import RxEngineSections
import RxJSON

/// What `rxwatchctl top` shows, and how keys change it.
struct TopState: Sendable {
    /// Something that changes what is shown.
    enum Change: Sendable {
        /// The answer to a request for the status, and when it came, in seconds since 1970.
        case status(ControlAnswer, at: Double)
        /// The answer to a request for the status of the chosen node.
        case detail(ControlAnswer)
        /// The daemon did not answer.
        case failed(String, at: Double)
        case key(TerminalKey)
        case size(TerminalSize)
    }

    /// A line of the screen.
    struct Row: Identifiable, Equatable, Sendable {
        let id: String
        /// The texts of the mark and of the columns.
        let cells: [String]
        /// The line, with aligned columns.
        let text: String
    }

    private static let keys = "q quit  Enter details  < > sort  r reverse  F by failures  / filter  f failing"

    private(set) var nodes: [TopNode] = []
    private(set) var sort = TopColumn.node
    private(set) var isReversed = false
    private(set) var filter = ""
    /// Whether only nodes are shown that have failed and not worked since.
    private(set) var isOfFailing = false
    /// Whether keys are characters of the filter.
    private(set) var isTyping = false
    /// The name of the chosen node.
    private(set) var chosen: String?
    /// Whether the status of the chosen node is shown in place of the table.
    private(set) var showsDetail = false
    /// Whether the user wants to leave.
    private(set) var isOver = false
    private(set) var size: TerminalSize
    private var details: JSON = .null
    private var detail: [String] = []
    /// The number of the first line of the detail that is shown.
    private var detailTop = 0
    private var failure: String?
    private var now = 0.0
    /// The number of the first row that is shown.
    private var top = 0

    init(size: TerminalSize) {
        self.size = size
    }

    mutating func apply(_ change: Change) {
        switch change {
        case .status(let answer, let time):
            guard answer.exitCode == ExitCode.success else { return failure = answer.message }
            (failure, now, details) = (nil, time, answer.details)
            nodes = ["sources", "pipelines"].flatMap { details[$0]?.object?.members.map(\.value) ?? [] }
                .map { TopNode($0) }
            if chosen.map({ name in !nodes.contains { $0.name == name } }) ?? false {
                (chosen, showsDetail) = (nil, false)
            }
        case .detail(let answer): detail = answer.message.split(separator: "\n").map { String($0) }
        case .failed(let message, let time):
            failure = nodes.isEmpty ? message : "\(message); the table is \(TopColumn.span(time - now)) old"
        case .size(let size): self.size = size
        case .key(let key): isTyping ? type(key) : press(key)
        }
        scroll()
    }

    // MARK: - Keys

    private mutating func type(_ key: TerminalKey) {
        switch key {
        case .interrupt: isOver = true
        case .enter: isTyping = false
        case .escape: (filter, isTyping) = ("", false)
        case .backspace: _ = filter.popLast()
        case .character(let character): filter.append(character)
        default: move(key)
        }
    }

    private mutating func press(_ key: TerminalKey) {
        switch key {
        case .interrupt, .character("q"): isOver = true
        case .escape where showsDetail, .backspace where showsDetail: showsDetail = false
        case .escape: (filter, isOfFailing) = ("", false)
        case .character("f"): isOfFailing.toggle()
        case .character("F"): (sort, isReversed) = (.failures, false)
        case .enter:
            (showsDetail, detail, detailTop) = (!showsDetail && chosen != nil, [], 0)
        case .pageUp where showsDetail: detailTop -= detailRoom
        case .pageDown where showsDetail: detailTop += detailRoom
        case .character("/"): (isTyping, showsDetail) = (true, false)
        case .character("r"): isReversed.toggle()
        case .character("<"), .character(","): moveSort(by: -1)
        case .character(">"), .character("."): moveSort(by: 1)
        case .character("j"): move(.down)
        case .character("k"): move(.up)
        default: move(key)
        }
    }

    private mutating func moveSort(by step: Int) {
        let columns = layout.columns
        let index = columns.firstIndex(of: sort) ?? 0
        sort = columns[(index + step + columns.count) % columns.count]
    }

    private mutating func move(_ key: TerminalKey) {
        let shown = shown
        guard !shown.isEmpty else { return }
        let index = shown.firstIndex { $0.name == chosen }
        let last = shown.count - 1
        let next: Int
        switch key {
        case .up: next = index.map { $0 - 1 } ?? last
        case .down: next = index.map { $0 + 1 } ?? 0
        case .pageUp: next = (index ?? 0) - room
        case .pageDown: next = (index ?? 0) + room
        case .home: next = 0
        case .end: next = last
        default: return
        }
        chosen = shown[min(max(next, 0), last)].name
        detailTop = 0
    }

    // MARK: - What is shown

    /// The columns that fit.
    private var layout: TopLayout { TopLayout(shown, at: now, sortedBy: sort, size.columns) }

    /// The nodes that the filter lets through, in their order.
    var shown: [TopNode] {
        let text = filter.lowercased()
        let found = nodes.filter { node in
            (!isOfFailing || node.hasFailed)
                && (text.isEmpty || "\(node.name) \(node.kind) \(node.state)".lowercased().contains(text))
        }
        let sorted = found.sorted(by: sort.isBefore)
        return isReversed ? sorted.reversed() : sorted
    }

    /// How many nodes fit between the lines above and below them.
    private var room: Int { max(1, size.rows - head.count - 2) }
    /// How many lines of a detail fit there, which has no headings.
    private var detailRoom: Int { room + 1 }

    /// Keeps the chosen node on the screen.
    private mutating func scroll() {
        let shown = shown
        if let index = shown.firstIndex(where: { $0.name == chosen }) {
            top = min(max(top, index - room + 1), index)
        }
        top = min(max(top, 0), max(0, shown.count - room))
        detailTop = min(max(detailTop, 0), max(0, detailLines.count - detailRoom))
    }

    /// The lines above the table.
    private var head: [String] { daemon + filterLine }

    /// What the daemon has answered.
    private var daemon: [String] {
        if let failure { return [failure] }
        func number(_ key: String) -> Double { details[key]?.number ?? 0 }
        func count(_ key: String) -> String { "\(Int(min(max(number(key), 0), 1e15)))" }
        let live = details["resources"]?["total"]?.number.map { ", \(Int(min(max($0, 0), 1e15))) live objects" } ?? ""
        let failed = nodes.count(where: \.hasFailed)
        return [
            "rxwatchd \(details["version"]?.string ?? ""), generation \(count("generation")), "
                + "up \(TopColumn.span(number("up"))), \(Int(min(number("rssKiB"), 1e15) / 1024)) MiB\(live)",
            "\(count("unsettled")) unsettled, \(count("queued")) queued, \(count("spooled")) spooled, "
                + "\(count("dropped")) dropped" + (failed == 0 ? "" : ", \(failed) failing (!)"),
        ] + (details["reloadFailure"] == nil ? [] : ["the last reload has failed: see rxwatchctl status"])
    }

    /// The line that says what is filtered by, while keys act on the table as always.
    private var filterLine: [String] {
        let filters = [isOfFailing ? "failing" : "", isTyping ? "" : filter].filter { !$0.isEmpty }
        return filters.isEmpty ? [] : ["filter: \(filters.joined(separator: ", "))   Esc shows all"]
    }

    /// The lines of the screen: those above the table, its headings and rows, and a line below it.
    var sections: [Section<SectionTitle, Row>] {
        let titles = head.enumerated().map { Section(SectionTitle($1, id: "head \($0)"), items: [Row]()) }
        if showsDetail {
            // Titles have the whole width, and rows the columns of the table.
            let lines = detailLines.dropFirst(detailTop).prefix(detailRoom)
            let shown = lines.enumerated().map { Section(SectionTitle($1, id: "detail \($0)"), items: [Row]()) }
            let scroll = detailLines.count > detailRoom ? "PgUp PgDn scroll   " : ""
            return titles + shown + [footer("Esc back   arrows choose   \(scroll)q quit")]
        }
        let layout = layout
        func row(_ id: String, _ mark: String, _ texts: [String]) -> Row {
            let (cells, text) = layout.row(mark, texts)
            return Row(id: id, cells: cells, text: text)
        }
        let headings = layout.columns.map { $0.heading + ($0 == sort ? (isReversed ? "^" : "v") : "") }
        let rows = shown.dropFirst(top).prefix(room).map { node in
            let mark = (node.name == chosen ? ">" : " ") + (node.hasFailed ? "!" : " ")
            return row("node \(node.name)", mark, layout.columns.map { $0.text(of: node, at: now) })
        }
        let table = Section(SectionTitle("", id: "table"), items: [row("headings", "", headings)] + rows)
        return titles + [table, footer(isTyping ? "filter: \(filter)_   Enter keeps it   Esc removes it" : Self.keys)]
    }

    /// The status of the chosen node, in lines that fit.
    private var detailLines: [String] { detail.flatMap { $0.wrapped(toColumns: size.columns) } }

    private func footer(_ text: String) -> Section<SectionTitle, Row> {
        Section(SectionTitle(text, id: "foot"), items: [])
    }
}
