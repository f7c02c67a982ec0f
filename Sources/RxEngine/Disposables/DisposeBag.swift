// Unchecked: `lock` guards the mutable state.
/// A container that disposes its members when it is deallocated.
///
/// ```swift
/// final class Screen {
///     private let bag = DisposeBag()
///
///     func show(_ titles: Observable<String>) {
///         titles.subscribe(onNext: { print($0) }).disposed(by: bag)
///     }
/// }
/// ```
///
/// It has no `dispose()`: release the bag, or replace it by a new one. Members that are disposed already, such as the
/// subscriptions of sequences that have ended, do not accumulate: the bag removes them each time its size has doubled.
/// The thread that releases the bag disposes the members, in the order in which they were added.
public final class DisposeBag: @unchecked Sendable {
    private static let minimumSweepCount = 32

    private let ticket = ResourceTicket(.disposable)
    private let lock = Lock()
    private var members: [any Disposable] = []
    private var sweepThreshold = DisposeBag.minimumSweepCount
    private var isSweeping = false

    /// Makes an empty bag.
    public init() {}

    /// Makes a bag of these disposables.
    public convenience init(disposing disposables: any Disposable...) {
        self.init(disposing: disposables)
    }

    /// Makes a bag of an array of disposables.
    public convenience init(disposing disposables: [any Disposable]) {
        self.init()
        insert(disposables)
    }

    /// Makes a bag of the disposables that `builder` lists.
    public convenience init(@DisposableBuilder builder: () -> [any Disposable]) {
        self.init(disposing: builder())
    }

    /// Adds a member.
    ///
    /// - Complexity: Amortized constant time.
    public func insert(_ disposable: any Disposable) {
        SubscriptionRecord.note(owner: Self.self, of: [disposable])
        let toSweep = lock.locked {
            members.append(disposable)
            return beginSweep()
        }
        if let toSweep { sweep(toSweep) }
    }

    /// Adds members.
    ///
    /// - Complexity: Amortised linear in their number.
    public func insert(_ disposables: any Disposable...) {
        insert(disposables)
    }

    /// Adds an array of members.
    ///
    /// - Complexity: Amortised linear in their number.
    public func insert(_ disposables: [any Disposable]) {
        SubscriptionRecord.note(owner: Self.self, of: disposables)
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
        SubscriptionRecord.note(owner: Self.self, isReleased: true, of: members)
    }

    /// Takes the members out, so that `isDisposed` is called on them without the lock. Called under the lock.
    private func beginSweep() -> [any Disposable]? {
        guard members.count >= sweepThreshold, !isSweeping else { return nil }
        isSweeping = true
        defer { members = [] }
        return members
    }

    private func sweep(_ all: [any Disposable]) {
        let live = all.filter { !Self.isDisposed($0) }
        lock.locked {
            members = live + members
            sweepThreshold = max(Self.minimumSweepCount, 2 * members.count)
            isSweeping = false
        }
    }

    private static func isDisposed(_ member: any Disposable) -> Bool {
        (member as? any Cancelable)?.isDisposed ?? (member is NopDisposable)
    }

    /// Builds a list of disposables, one on each line.
    @resultBuilder
    public struct DisposableBuilder {
        /// Returns the disposables of a block.
        public static func buildBlock(_ disposables: any Disposable...) -> [any Disposable] {
            disposables
        }
    }
}
