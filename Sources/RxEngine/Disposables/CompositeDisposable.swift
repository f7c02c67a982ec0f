import Synchronization

/// A group of disposables that are disposed together, in the order they were inserted.
public final class CompositeDisposable: Cancelable {
    /// Names a member, for ``CompositeDisposable/remove(for:)``.
    public struct DisposeKey: Sendable, Hashable {
        fileprivate let number: UInt64
    }

    private struct Members {
        var live: [(number: UInt64, disposable: any Disposable)] = []
        var lastNumber: UInt64 = 0
        var isDisposed = false

        mutating func append(_ disposable: any Disposable) -> DisposeKey {
            lastNumber += 1
            live.append((lastNumber, disposable))
            return DisposeKey(number: lastNumber)
        }
    }

    private let ticket = ResourceTicket(.disposable)
    private let members: Mutex<Members>

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
        var initial = Members()
        for disposable in disposables { _ = initial.append(disposable) }
        members = Mutex(initial)
    }

    /// How many members there are; none once disposed.
    public var count: Int {
        members.withLock { $0.live.count }
    }

    /// Whether the group was disposed.
    public var isDisposed: Bool {
        members.withLock { $0.isDisposed }
    }

    /// Adds a member; a group that is disposed already disposes it at once.
    ///
    /// - Returns: the member's key, `nil` where it was disposed.
    public func insert(_ disposable: any Disposable) -> DisposeKey? {
        let key = members.withLock { $0.isDisposed ? nil : $0.append(disposable) }
        if key == nil { disposable.dispose() }
        return key
    }

    /// Removes a member and disposes it.
    public func remove(for key: DisposeKey) {
        members.withLock { members -> (any Disposable)? in
            guard let index = members.live.firstIndex(where: { $0.number == key.number }) else { return nil }
            return members.live.remove(at: index).disposable
        }?.dispose()
    }

    /// Disposes every member, outside the group's lock.
    public func dispose() {
        let removed = members.withLock { members in
            members.isDisposed = true
            defer { members.live = [] }
            return members.live
        }
        for member in removed { member.disposable.dispose() }
    }
}
