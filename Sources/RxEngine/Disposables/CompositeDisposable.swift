// Unchecked: the lock guards the mutable state.
/// A group of disposables that are disposed together, in the order in which they were inserted.
public final class CompositeDisposable: Cancelable, @unchecked Sendable {
    /// Identifies a member, for ``CompositeDisposable/remove(for:)``.
    public struct DisposeKey: Sendable, Hashable {
        fileprivate let key: DisposableList.Key
    }

    private let ticket = ResourceTicket(.disposable)
    private let lock = Lock()
    private var members = DisposableList()
    private var wasDisposed = false

    /// Makes an empty group.
    public convenience init() {
        self.init(disposables: [])
    }

    /// Makes a group of two disposables.
    public convenience init(_ first: any Disposable, _ second: any Disposable) {
        self.init(disposables: [first, second])
    }

    /// Makes a group of three disposables.
    public convenience init(_ first: any Disposable, _ second: any Disposable, _ third: any Disposable) {
        self.init(disposables: [first, second, third])
    }

    /// Makes a group of four or more disposables.
    public convenience init(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable, _ fourth: any Disposable,
        _ more: any Disposable...
    ) {
        self.init(disposables: [first, second, third, fourth] + more)
    }

    /// Makes a group of an array of disposables.
    public init(disposables: [any Disposable]) {
        SubscriptionRecord.note(owner: Self.self, of: disposables)
        for disposable in disposables { _ = members.append(disposable) }
    }

    /// The number of members; 0 after the group was disposed.
    public var count: Int {
        lock.locked { members.count }
    }

    /// Whether the group was disposed.
    public var isDisposed: Bool {
        lock.locked { wasDisposed }
    }

    /// Adds a member, or disposes it at once if the group was disposed.
    ///
    /// - Returns: the member's key, `nil` if the group was disposed.
    /// - Complexity: Amortized constant time.
    public func insert(_ disposable: any Disposable) -> DisposeKey? {
        SubscriptionRecord.note(owner: Self.self, of: [disposable])
        let key = lock.locked { wasDisposed ? nil : members.append(disposable) }
        if key == nil { disposable.dispose() }
        return key.map(DisposeKey.init)
    }

    /// Removes a member and disposes it.
    ///
    /// - Complexity: Amortized constant time, apart from a binary search for the key.
    public func remove(for key: DisposeKey) {
        lock.locked { members.remove(key.key) }?.dispose()
    }

    /// Disposes all members. The group's lock is not held meanwhile.
    ///
    /// They are disposed on this thread.
    ///
    /// - Complexity: Linear in the number of members.
    public func dispose() {
        let removed = lock.locked {
            wasDisposed = true
            return members.takeAll()
        }
        removed.dispose()
    }

    deinit {
        SubscriptionRecord.note(owner: Self.self, isReleased: true, of: members.all)
    }
}
