import SeededRandom

/// An action on the daemon.
enum Move: Sendable, CustomStringConvertible {
    /// Makes this number of files for a source.
    case create(String, Int)
    /// Milliseconds.
    case wait(Int)
    /// An edited configuration, and whether to wait for the reload.
    case reload(seed: UInt64, isAwaited: Bool)
    /// An end and a new process, with this number of files made in between and perhaps an edited configuration.
    case restart(Ending, files: Int, seed: UInt64?)

    enum Ending: Sendable {
        case stop
        case kill
        /// A kill this number of milliseconds after the signal to stop.
        case killWhileStopping(Int)
        /// A kill of the next process this number of milliseconds after its start.
        case killWhileStarting(Int)
    }

    var description: String {
        switch self {
        case .create(let source, let count): "\(count) files for \(source)"
        case .wait(let time): "\(time) ms"
        case .reload(_, let isAwaited): isAwaited ? "reload" : "reload, not awaited"
        case .restart(let ending, let files, let seed):
            "\(ending), \(files) files\(seed == nil ? "" : ", edit"), start"
        }
    }

    static func random(_ random: inout SplitMix64, _ config: Config) -> Move {
        let source = random.pick(config.fileSources)
        switch random.below(20) {
        case 0..<7: return .create(source, random.chance(70) ? random.within(1...6) : random.within(7...40))
        case 7..<13: return .wait(random.chance(60) ? random.within(1...200) : random.within(200...2500))
        case 13..<16: return .reload(seed: random.next(), isAwaited: random.chance(60))
        default:
            let ending: Ending =
                switch random.below(10) {
                case 0..<4: .stop
                case 4..<8: .kill
                case 8: .killWhileStopping(random.within(0...60))
                default: .killWhileStarting(random.within(0...400))
                }
            return .restart(
                ending, files: random.chance(50) ? random.within(1...5) : 0,
                seed: random.chance(30) ? random.next() : nil)
        }
    }
}

extension Config {
    var fileSources: [String] {
        sources.compactMap { source in
            if case .files = source.kind { source.name } else { nil }
        } + edited.compactMap { $0.input == nil ? Edited.source : nil }
    }
}
