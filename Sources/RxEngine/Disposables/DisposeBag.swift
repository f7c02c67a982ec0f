// Unchecked: what changes is guarded by `lock`.
/// Disposes its members when it goes.
///
/// There is no `dispose()`: drop the bag, or put a new one in its place. Members that are over already, such as the
/// subscriptions of sequences that have ended, do not pile up: the bag lets go of them each time it has doubled.
public final class DisposeBag: @unchecked Sendable {
    private static let leastToSweep = 32

    private let ticket = ResourceTicket(.disposable)
    private let lock = Lock()
    private var members: [any Disposable] = []
    private var sweepAt = DisposeBag.leastToSweep
    private var isSweeping = false

    /// An empty bag.
    public init() {}

    /// A bag of these.
    public convenience init(disposing disposables: any Disposable...) {
        self.init(disposing: disposables)
    }

    /// A bag of these.
    public convenience init(disposing disposables: [any Disposable]) {
        self.init()
        insert(disposables)
    }

    /// A bag of the disposables that `builder` lists.
    public convenience init(@DisposableBuilder builder: () -> [any Disposable]) {
        self.init(disposing: builder())
    }

    /// Adds a member.
    public func insert(_ disposable: any Disposable) {
        let toSweep = lock.locked {
            members.append(disposable)
            return beginSweep()
        }
        if let toSweep { sweep(toSweep) }
    }

    /// Adds members.
    public func insert(_ disposables: any Disposable...) {
        insert(disposables)
    }

    /// Adds members.
    public func insert(_ disposables: [any Disposable]) {
        let toSweep = lock.locked {
            members += disposables
            return beginSweep()
        }
        if let toSweep { sweep(toSweep) }
    }

    /// Adds the disposables that `builder` lists.
    public func insert(@DisposableBuilder builder: () -> [any Disposable]) {
        insert(builder())
    }

    deinit {
        for member in members { member.dispose() }
    }

    /// Under the lock: takes the members out, so that they are asked outside it whether they are over.
    private func beginSweep() -> [any Disposable]? {
        guard members.count >= sweepAt, !isSweeping else { return nil }
        isSweeping = true
        defer { members = [] }
        return members
    }

    private func sweep(_ all: [any Disposable]) {
        let live = all.filter { !Self.isOver($0) }
        lock.locked {
            members = live + members
            sweepAt = max(Self.leastToSweep, 2 * members.count)
            isSweeping = false
        }
    }

    private static func isOver(_ member: any Disposable) -> Bool {
        (member as? any Cancelable)?.isDisposed ?? (member is NopDisposable)
    }

    /// Lists disposables, one a line.
    @resultBuilder
    public struct DisposableBuilder {
        /// The lines of a block.
        public static func buildBlock(_ disposables: any Disposable...) -> [any Disposable] {
            disposables
        }
    }
}
