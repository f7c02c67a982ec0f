import Synchronization

/// Disposes its members when it goes.
///
/// There is no `dispose()`: drop the bag, or put a new one in its place.
public final class DisposeBag: Sendable {
    private let ticket = ResourceTicket(.disposable)
    private let members = Mutex<[any Disposable]>([])

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
        members.withLock { $0.append(disposable) }
    }

    /// Adds members.
    public func insert(_ disposables: any Disposable...) {
        insert(disposables)
    }

    /// Adds members.
    public func insert(_ disposables: [any Disposable]) {
        members.withLock { $0.append(contentsOf: disposables) }
    }

    /// Adds the disposables that `builder` lists.
    public func insert(@DisposableBuilder builder: () -> [any Disposable]) {
        insert(builder())
    }

    deinit {
        for member in members.withLock({ $0 }) { member.dispose() }
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
