import Glibc
import RxEngine
import Synchronization

// Unchecked: used on the watcher's queue alone, but for the flag, which is atomic.
/// One subscription to a request.
final class FileRun: @unchecked Sendable {
    private let core: FileWatcherCore
    private let request: FileRequest
    private let observer: AnyObserver<FileChange>
    private let isStopped = Atomic(false)
    private var roots: [Int32] = []
    private var settling: FileSettling?

    init(_ core: FileWatcherCore, _ request: FileRequest, _ observer: AnyObserver<FileChange>) {
        self.core = core
        self.request = request
        self.observer = observer
    }

    func start() {
        guard !isStopped.load(ordering: .acquiring) else { return }
        if request.settle > .zero {
            settling = FileSettling(request.settle, on: core.queue) { [weak self] in self?.tell($0) }
        }
        let here = Self.workingDirectory()
        do {
            for path in request.paths {
                roots.append(try core.add(path.absolute(from: here), request) { [weak self] in self?.take($0) })
            }
        } catch {
            observer.onError(error)
        }
    }

    /// Nothing is told any more. From any thread.
    func stop() {
        isStopped.store(true, ordering: .releasing)
    }

    func end() {
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
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return BytePath(String(cString: path))
    }
}
