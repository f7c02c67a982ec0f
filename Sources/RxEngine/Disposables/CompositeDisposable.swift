// Unchecked: what changes is behind the lock.
/// A group of disposables that are disposed together, in the order they were inserted.
public final class CompositeDisposable: Cancelable, @unchecked Sendable {
    /// Names a member, for ``CompositeDisposable/remove(for:)``.
    public struct DisposeKey: Sendable, Hashable {
        fileprivate let key: DisposableList.Key
    }

    private let ticket = ResourceTicket(.disposable)
    private let lock = Lock()
    private var members = DisposableList()
    private var wasDisposed = false

    /// An empty group.
    public convenience init() {
        self.init(disposables: [])
    }

    /// A group of two.
    public convenience init(_ first: any Disposable, _ second: any Disposable) {
        self.init(disposables: [first, second])
    }

    /// A group of three.
    public convenience init(_ first: any Disposable, _ second: any Disposable, _ third: any Disposable) {
        self.init(disposables: [first, second, third])
    }

    /// A group of four or more.
    public convenience init(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable, _ fourth: any Disposable,
        _ more: any Disposable...
    ) {
        self.init(disposables: [first, second, third, fourth] + more)
    }

    /// A group of all of these.
    public init(disposables: [any Disposable]) {
        for disposable in disposables { _ = members.append(disposable) }
    }

    /// How many members there are; none once disposed.
    public var count: Int {
        lock.locked { members.count }
    }

    /// Whether the group was disposed.
    public var isDisposed: Bool {
        lock.locked { wasDisposed }
    }

    /// Adds a member; a group that is disposed already disposes it at once.
    ///
    /// - Returns: the member's key, `nil` where it was disposed.
    public func insert(_ disposable: any Disposable) -> DisposeKey? {
        let key = lock.locked { wasDisposed ? nil : members.append(disposable) }
        if key == nil { disposable.dispose() }
        return key.map(DisposeKey.init)
    }

    /// Removes a member and disposes it.
    public func remove(for key: DisposeKey) {
        lock.locked { members.remove(key.key) }?.dispose()
    }

    /// Disposes every member, outside the group's lock.
    public func dispose() {
        let removed = lock.locked {
            wasDisposed = true
            return members.takeAll()
        }
        removed.dispose()
    }
}
