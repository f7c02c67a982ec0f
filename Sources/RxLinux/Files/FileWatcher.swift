import Dispatch
import RxEngine

/// Watches files and directories: one inotify descriptor for all that anyone wants to know.
///
/// What is told, is told in order and once. A new directory is watched and then looked into: what was made in it
/// meanwhile is told as `created`, ``FileChange/isSynthetic``. A file that is written beside another and takes its place is
/// one `modified`. A move is told with both names, and a directory's move stands for everything in it. Where the kernel
/// loses events, everything is looked at again and the differences are told. A path that does not exist is waited for;
/// one that is replaced is followed, symbolic links that lead there included.
public final class FileWatcher: Sendable {
    private let core: FileWatcherCore
    private let degraded = PublishSubject<FileDegradation>()

    /// A watcher that watches nothing yet.
    public init() {
        core = FileWatcherCore { [degraded] in degraded.onNext($0) }
    }

    /// The changes that `request` asks for, told on a queue of the watcher's.
    ///
    ///     created a         --c(a)----m(b<a)---
    ///     renamed to b
    ///
    /// Never ends, but with a ``SystemError`` where the system lets nothing be watched at all.
    ///
    /// - Parameter onArmed: called, on the same queue, when everything is watched: what happens afterwards is told.
    public func changes(
        _ request: FileRequest, onArmed: @escaping @Sendable () -> Void = {}
    ) -> Observable<FileChange> {
        .create { [core] observer in
            let run = FileRun(core, request, observer)
            core.queue.async {
                run.start()
                onArmed()
            }
            return Disposables.create {
                run.stop()
                core.queue.async { run.end() }
            }
        }
    }

    /// Paths that are not watched as they should be, as that is found out. On the watcher's queue.
    public var degradations: Observable<FileDegradation> { degraded.asObservable() }

    /// The paths that are not watched as they should be at the moment. Not to be called from an observer.
    public var degradedPaths: [FileDegradation] { core.queue.sync { core.degradations } }

    /// For tests, which hold it up.
    var queueForTests: DispatchQueue { core.queue }

    /// How many directories are watched. Not to be called from an observer.
    public var watchCount: Int { core.queue.sync { core.watchCount } }
}
