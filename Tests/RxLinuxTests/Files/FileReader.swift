import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// A subscriber to the tree below `tree`, and what it receives.
final class FileReader: Sendable {
    /// A change that it has received.
    struct Received: Equatable {
        let change: FileChange
        let line: String
        let name: String
        let position: FilePosition

        static func == (one: Received, other: Received) -> Bool {
            one.line == other.line && one.name == other.name && one.position == other.position
        }
    }

    let watcher: FileWatcher
    let received = Cell<[Received]>([])
    let started = Cell<FilePosition?>(nil)
    let caughtUp = Cell(0)
    /// The changes that it had received when it first caught up.
    let receivedBefore = Cell<[Received]?>(nil)
    let suspended = Cell<[Int]>([])
    /// The slots of the changes that it has not processed.
    let slots = Cell<[FileSlot]>([])
    let barriers = BarrierStreams()
    private let subscription: any Disposable

    /// - Parameter adjust: changes the request, which is for the directory and everything below it.
    init(
        _ folder: Folder, _ watcher: FileWatcher, after position: FilePosition? = nil, limit: Int = .max,
        _ adjust: (inout FileRequest) -> Void = { _ in }
    ) async throws {
        self.watcher = watcher
        let isArmed = Cell(false)
        var request = FileRequest([BytePath(folder("tree"))], recursive: true)
        adjust(&request)
        subscription = watcher.readings(
            request, after: position, limit: limit, barriers: barriers, onArmed: { isArmed.update { $0 = true } }
        )
        .subscribe(onNext: { [received, started, caughtUp, receivedBefore, suspended, slots] reading in
            switch reading {
            case .started(let position): started.update { $0 = position }
            case .caughtUp:
                let before = received.value
                receivedBefore.update { $0 = $0 ?? before }
                caughtUp.update { $0 += 1 }
            case .suspended(let count): suspended.append(count)
            case .change(let change, let name, let position, let slot):
                received.append(Received(change: change, line: folder.line(change), name: name, position: position))
                if let slot { slots.append(slot) }
            case .barrier: break
            }
        })
        try await eventually("the watcher is armed") { isArmed.value }
    }

    deinit {
        subscription.dispose()
    }

    var lines: [String] { received.value.map(\.line) }
    /// Its last position.
    var position: FilePosition? { received.value.last?.position ?? started.value }

    func receives(_ lines: [String]) async throws {
        try await eventually("\(lines), not \(self.lines)") { self.lines == lines }
    }
}
