// Unchecked: as its superclass.
/// A connection that delivers to a subscriber list.
@usableFromInline
class SubscriberListConnection<Element>: Connection, @unchecked Sendable {
    fileprivate final let source: Observable<Element>
    private let subscribers: SubscriberList
    /// Whether the list is this connection's alone; otherwise the next connection uses it too.
    fileprivate final let ownsSubscribers: Bool

    fileprivate init(of source: Observable<Element>, _ subscribers: SubscriberList, ownsSubscribers: Bool) {
        self.source = source
        self.subscribers = subscribers
        self.ownsSubscribers = ownsSubscribers
    }

    deinit {
        if ownsSubscribers { Unmanaged.passUnretained(subscribers)._withUnsafeGuaranteedRef { $0.disposeInDeinit() } }
    }

    /// Adds a sink to the list.
    ///
    /// - Returns: its key; `nil` if the list is closed.
    fileprivate func insert(_ sink: Sink<Element>) -> SinkList.Key? {
        subscribers.add(sink, to: self)
    }

    override final func add(_ sink: AnySink) -> (any Disposable)? {
        insert(unsafeDowncast(sink, to: Sink<Element>.self)).map(subscribers.subscription)
    }

    override final func addCounted(_ sink: AnySink, _ slot: ConnectionSlot) -> (any Disposable)? {
        let key = insert(unsafeDowncast(sink, to: Sink<Element>.self))
        return key.map { SubscriberListReference(slot: slot, connection: self, key: $0) }
    }

    override final func remove(_ key: SinkList.Key) -> Bool {
        subscribers.remove(key)
    }
}

/// A disposable that removes a subscriber and releases its reference to the connection.
private struct SubscriberListReference: Disposable {
    let slot: ConnectionSlot
    let connection: Connection
    let key: SinkList.Key

    func dispose() {
        if connection.remove(key) { slot.release(connection) } else { slot.releaseIfEnded(connection) }
    }
}

// Unchecked: as its superclass.
/// A connection without a replay buffer.
@usableFromInline
final class PublishConnection<Element>: SubscriberListConnection<Element>, @unchecked Sendable {
    private let subscribers = SubscriberList()

    @usableFromInline
    init(of source: Observable<Element>) {
        super.init(of: source, subscribers, ownsSubscribers: true)
    }

    override func run(for slot: ConnectionSlot) -> any Disposable {
        source.run(SourceSink(self, subscribers, slot))
    }

    private final class SourceSink: ConnectionSink<Element> {
        private let subscribers: SubscriberList

        init(_ connection: PublishConnection, _ subscribers: SubscriberList, _ slot: ConnectionSlot) {
            self.subscribers = subscribers
            super.init(connection, slot)
        }

        override func deliver(_ element: Element) {
            subscribers.next(element)
        }

        /// Closes first, as the list is this connection's alone: a subscriber that subscribes again when it receives
        /// the end gets the next run.
        override func deliver(_ end: Termination, close: () -> Void) {
            close()
            subscribers.terminate(with: end, Element.self)
        }
    }
}

// Unchecked: as its superclass.
/// A connection with a replay buffer.
@usableFromInline
final class ReplayConnection<Element>: SubscriberListConnection<Element>, @unchecked Sendable {
    private let subscribers: ReplaySubscriberList<Element>

    /// - Parameters:
    ///   - source: the sequence that is shared.
    ///   - subscribers: the subscriber list, with its replay buffer.
    ///   - ownsSubscribers: whether the list is this connection's alone.
    @usableFromInline
    init(of source: Observable<Element>, _ subscribers: ReplaySubscriberList<Element>, ownsSubscribers: Bool) {
        self.subscribers = subscribers
        super.init(of: source, subscribers, ownsSubscribers: ownsSubscribers)
    }

    override func insert(_ sink: Sink<Element>) -> SinkList.Key? {
        subscribers.addReplaying(sink, to: self)
    }

    override func run(for slot: ConnectionSlot) -> any Disposable {
        source.run(SourceSink(self, subscribers, slot))
    }

    private final class SourceSink: ConnectionSink<Element> {
        private let subscribers: ReplaySubscriberList<Element>
        private let ownsSubscribers: Bool

        init(_ connection: ReplayConnection, _ subscribers: ReplaySubscriberList<Element>, _ slot: ConnectionSlot) {
            self.subscribers = subscribers
            ownsSubscribers = connection.ownsSubscribers
            super.init(connection, slot)
        }

        override func deliver(_ element: Element) {
            subscribers.storeAndDeliver(element, from: live)
        }

        /// Closing the list lets a subscriber that is catching up on another thread receive the end, and closing the
        /// connection lets the next run start. The order depends on who owns the list:
        ///
        /// - If the list is this connection's alone, the connection closes first: a subscriber that subscribes again
        ///   when it receives the end gets the next run.
        /// - If the next connection uses the list, too (`scope: .forever`), the list closes first: otherwise the next
        ///   run could start with a list that is about to close.
        override func deliver(_ end: Termination, close: () -> Void) {
            if ownsSubscribers { close() }
            let subscribers = subscribers.close(with: end)
            if !ownsSubscribers { close() }
            subscribers.terminate(with: end, Element.self)
        }
    }
}
