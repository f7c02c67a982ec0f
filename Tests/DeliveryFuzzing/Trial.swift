import Foundation
import SeededRandom

/// A random configuration, run by the daemon through random moves.
final class Trial {
    private let seed: UInt64
    private let folders: Config.Folders
    private var random: SplitMix64
    private var config: Config
    private let moves: [Move]
    private var daemon: DaemonProcess?
    private let server: HTTPServer
    private var processes = 0
    private var reloads = 0
    private var files: [String: [Int: Int]] = [:]
    private var extras: Set<String>
    private var cuts: [Cut] = []
    private var interruptions = 0
    private var number = 0
    /// Whether the trial has waited until the process was ready.
    private var isReady = false
    private var story: [String] = []

    /// - Parameter length: the approximate number of moves.
    init(seed: UInt64, length: Int) throws {
        self.seed = seed
        var random = SplitMix64(seed: seed)
        let config = Config.random(&random)
        moves = (0..<random.within(length / 2...length)).map { _ in Move.random(&random, config) }
        (self.random, self.config) = (random, config)
        extras = Set(config.edited.map(\.name))
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("rx-delivery-\(UUID())").path
        server = try HTTPServer { key, line in
            let file = open(Config.Folders(root: root, port: 0).acts(of: key), O_WRONLY | O_CREAT | O_APPEND, 0o600)
            line.withUnsafeBytes { _ = write(file, $0.baseAddress, $0.count) }
            close(file)
        }
        folders = Config.Folders(root: root, port: server.port)
        for folder in [folders.state, folders.acts] + config.fileSources.map(folders.input) {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
    }

    /// - Returns: the outcome of the trial.
    func run() -> Outcome {
        var outcome = Outcome()
        var problems: [String] = []
        do {
            try start()
            for (number, move) in moves.enumerated() {
                self.number = number
                try make(move)
            }
            problems = try rest(&outcome)
        } catch {
            problems.append("\(error)")
        }
        daemon = nil
        outcome.kills = cuts.count { $0.isKill }
        outcome.stops = cuts.count - outcome.kills
        outcome.reloads = reloads
        outcome.files = files.values.reduce(0) { $0 + $1.count }
        outcome.acts = cuts.last?.acts.all.values.reduce(0) { $0 + $1.count } ?? 0
        if problems.isEmpty {
            try? FileManager.default.removeItem(atPath: folders.root)
        } else {
            let config = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            outcome.failure =
                "seed \(seed), in \(folders.root):\n" + problems.prefix(20).joined(separator: "\n")
                + "\n\(story.joined(separator: "\n"))\n\(config)"
        }
        return outcome
    }

    private var path: String { "\(folders.root)/config.yaml" }

    // MARK: - Moves

    private func make(_ move: Move) throws {
        story.append("\(number): \(move)")
        switch move {
        case .create(let source, let count): try create(count, for: source)
        case .wait(let time): pause(time)
        case .reload(let seed, let isAwaited):
            edit(seed)
            try writeConfig()
            if config.drain < Self.ample { interruptions += 1 }
            let before = daemon?.count(of: "reloaded ") ?? 0
            daemon?.send(SIGHUP)
            reloads += 1
            // Before it is ready, an edit changes only the configuration with which it starts.
            if isAwaited, isReady { try daemon?.said("reloaded ", times: before + 1) }
        case .restart(let ending, let files, let seed):
            try end(ending)
            for source in config.fileSources { try create(files, for: source) }
            if let seed { edit(seed) }
            try start()
        }
    }

    /// A drain, in milliseconds, in which every command ends.
    private static let ample = 1000

    private func create(_ count: Int, for source: String) throws {
        for _ in 0..<count {
            let file = files[source, default: [:]].count + 1
            files[source, default: [:]][file] = number
            let descriptor = open("\(folders.input(source))/\(file)", O_WRONLY | O_CREAT | O_EXCL, 0o600)
            guard descriptor >= 0 else { throw Problem("file \(file) cannot be made") }
            close(descriptor)
        }
    }

    private func edit(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        story.append("   \(config.edit(&random))")
        extras.formUnion(config.extras.map(\.name))
    }

    private func writeConfig() throws {
        try Data(config.text(in: folders).utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    private func launch() throws -> DaemonProcess {
        processes += 1
        return try DaemonProcess(config: path, state: folders.state, records: "\(folders.root)/records-\(processes)")
    }

    private func start() throws {
        try writeConfig()
        let daemon = try launch()
        self.daemon = daemon
        isReady = false
        // Before that, a signal ends it.
        try daemon.said("is starting with")
        // The first process takes existing files as known, and does not emit them.
        if processes == 1 || random.chance(70) { try awaitReady() }
    }

    private func awaitReady() throws {
        try daemon?.said("ready after")
        isReady = true
    }

    private func end(_ ending: Move.Ending) throws {
        switch ending {
        case .stop: try stop()
        case .kill: try kill(after: nil)
        case .killWhileStopping(let time):
            daemon?.send(SIGTERM)
            try kill(after: time)
        case .killWhileStarting(let time):
            try kill(after: nil)
            daemon = try launch()
            isReady = false
            try kill(after: time)
        }
    }

    private func kill(after time: Int?) throws {
        if let time { pause(time) }
        daemon?.send(SIGKILL)
        // It may have stopped before.
        let code = try daemon?.end()
        if code != -SIGKILL, code != 0 { throw Problem("the process ended with \(code ?? 0)") }
        // Commands of the killed process end by themselves.
        try DaemonProcess.waitForCommands(of: folders.state)
        try cut(isKill: true)
        interruptions += 1
    }

    private func stop() throws {
        let begin = ContinuousClock.now
        daemon?.send(SIGTERM)
        let code = try daemon?.end()
        if code != 0 { throw Problem("the process ended with \(code ?? 0)") }
        let isCutShort = config.drain < Self.ample || ContinuousClock.now - begin > .milliseconds(config.drain)
        try cut(isKill: false)
        if isCutShort { interruptions += 1 }
    }

    private func cut(isKill: Bool) throws {
        daemon = nil
        cuts.append(
            Cut(
                saved: try Saved(in: folders.state, config), acts: Acts(of: config, extras: extras, in: folders),
                isKill: isKill, move: number,
                interruptions: interruptions))
    }

    // MARK: - The end

    /// Waits until the daemon is at rest, and compares.
    private func rest(_ outcome: inout Outcome) throws -> [String] {
        number = moves.count
        config.drain = 10_000
        try writeConfig()
        daemon?.send(SIGHUP)
        for source in config.fileSources { try create(3, for: source) }
        for round in 1...10 {
            if round > 1 { try start() }
            try daemon?.said("ready after")
            pause(300 * round)
            try stop()
            if isAtRest { break }
        }
        var checker = Checker(config, extras: extras)
        var evaluation: Evaluation?
        for (index, cut) in cuts.enumerated() {
            evaluation = checker.check(
                cut, after: cuts[..<index], hadKill: cuts[...index].contains { $0.isKill })
            if !checker.problems.isEmpty { return ["after move \(cut.move):"] + checker.problems }
        }
        guard let evaluation, let last = cuts.last else { return [] }
        checker.finish(cuts, evaluation, files: files)
        if !isAtRest {
            let left = last.saved.unsettled.subtracting(evaluation.held).sorted()
            return checker.problems + ["it does not come to rest: \(left) are unsettled, \(last.saved.spooled) spooled"]
        }
        outcome.repetitions = checker.repetitions
        outcome.unsavedActs = checker.unsavedActs
        return checker.problems
    }

    /// Whether all files have been emitted, and none of their events waits except in buffers. Intervals continue for
    /// ever.
    private var isAtRest: Bool {
        guard let saved = cuts.last?.saved else { return false }
        let sources = config.fileSources
        func ofFiles(_ ids: some Sequence<String>) -> Set<String> {
            Set(ids.filter { id in sources.contains { id.hasPrefix("\($0):") } })
        }
        let evaluation = Evaluation(config, logs: saved.logs, unsettled: saved.unsettled)
        let haveCome = files.allSatisfy { source, files in
            let come =
                source == Edited.source
                ? config.edited.filter { $0.input == nil }.flatMap { cuts.last?.acts.files(at: $0) ?? [] }
                : (evaluation.items["\(source)-base"] ?? []).map(\.value.sum)
            return files.keys.allSatisfy(Set(come).contains)
        }
        // A buffer elsewhere may hold the events that wait there.
        let haveReachedEdited = config.edited.allSatisfy { edited in
            if edited.input == nil || edited.mayGroup && cuts.contains(where: \.isKill) { return true }
            return Set(cuts.last?.acts.files(at: edited) ?? []).isSuperset(of: files["a", default: [:]].keys)
        }
        return haveCome && haveReachedEdited && ofFiles(saved.unsettled) == ofFiles(evaluation.held)
            && ofFiles(saved.spooled.values.joined()).isEmpty
    }
}

/// The outcome of a trial.
package struct Outcome: Sendable {
    package var failure: String?
    package var kills = 0
    package var stops = 0
    package var reloads = 0
    package var files = 0
    package var acts = 0
    /// Repeated acts on an event.
    package var repetitions = 0
    /// Acts on events that were not saved because of a kill.
    package var unsavedActs = 0
}
