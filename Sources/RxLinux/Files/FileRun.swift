import Glibc
import RxEngine
import Synchronization

// Unchecked: used on the watcher's queue alone, but for the flag, which is atomic.
/// One subscription to a request.
final class FileRun: @unchecked Sendable {
    private let core: FileWatcherCore
    let request: FileRequest
    private let observer: AnyObserver<FileChange>
    private let isStopped = Atomic(false)
    private(set) var roots: [Int32] = []
    private var settling: FileSettling?

    init(_ core: FileWatcherCore, _ request: FileRequest, _ observer: AnyObserver<FileChange>) {
        self.core = core
        self.request = request.absolute(from: Self.workingDirectory())
        self.observer = observer
    }

    func start() {
        guard !isStopped.load(ordering: .acquiring) else { return }
        if request.settle > .zero {
            settling = FileSettling(request.settle, on: core.queue, willTell: { [weak core] in core?.willChange() }) {
                // What became of several is asked for, or not, as what it is in the end.
                [weak self] in if self?.request.kinds.contains($0.kind) == true { self?.tell($0) }
            }
        }
        let take: (FileChange) -> Void = { [weak self] in self?.take($0) }
        do throws(SystemError) {
            try core.begin(self)
            if let before = core.takeOver(request) {
                roots = before.roots.map(\.number)
                for change in before.keptBack { self.take(change) }
                for root in before.roots { core.resume(root, take) }
            } else {
                for path in request.paths { roots.append(core.add(path, request, take)) }
            }
        } catch {
            observer.onError(error)
        }
    }

    /// What has not been told yet.
    var keptBack: [FileChange] { settling?.keptBack ?? [] }

    /// Nothing is told any more. From any thread.
    func stop() {
        isStopped.store(true, ordering: .releasing)
    }

    /// As ``stop()``, on the watcher's queue, and for good.
    func halt() {
        settling?.cancel()
    }

    func end() {
        core.end(self)
        for root in roots { core.remove(root) }
        roots = []
        settling?.cancel()
        settling = nil
    }

    private func take(_ change: FileChange) {
        if let settling { settling.take(change) } else { tell(change) }
    }

    private func tell(_ change: FileChange) {
        if !isStopped.load(ordering: .acquiring) { observer.onNext(change) }
    }

    private static func workingDirectory() -> BytePath {
        BytePath(taking: getcwd(nil, 0)) ?? "/"
    }
}
