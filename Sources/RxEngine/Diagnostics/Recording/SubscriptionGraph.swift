extension Resources {
    /// The live subscriptions at one moment.
    ///
    /// It shows which operator subscribes to which, since when, and how many elements it has emitted.
    ///
    /// It is a copy that later events do not change. ``text(withTimes:)``, ``dot`` and ``json`` are for people, Graphviz and
    /// programs.
    public struct Graph: Sendable {
        /// A subscription, an operator of its chain, or its source.
        public struct Node: Sendable, Identifiable {
            /// Identifies the node within this graph. A recorded node keeps its number in later graphs; a source may get another.
            public let id: UInt64
            /// The name of the operator; `subscription` for what `subscribe` has made.
            public let name: String
            /// The name that ``ObservableType/checkpoint(_:)`` was given.
            ///
            /// It is that of this node, or else of the nearest one downstream or upstream in the same chain.
            public let checkpoint: String?
            /// The name of the account that the node is charged to, such as one of ``ObservableType/tag(_:)``.
            public let account: String?
            /// How long ago the subscription was made; `nil` for a source.
            public let age: Duration?
            /// The number of elements that the operator has emitted.
            ///
            /// Of a subscription, it is the number that the observer has received; `nil` if elements are not counted
            /// (``Recording/elements``).
            public let elements: Int?
            /// Whether the subscription was disposed, or has ended, and is only retained.
            public let isDisposed: Bool
            /// The type that disposes the subscription: `DisposeBag`, `CompositeDisposable` or `SerialDisposable`.
            ///
            /// `nil` if that is unknown. `released` follows the type if the owner was released. A subscription that outlives
            /// its owner leaks: `CompositeDisposable` and `SerialDisposable` do not dispose what they hold when they are
            /// released.
            public let owner: String?
        }

        /// A line from a source to the node that receives its events.
        public struct Edge: Sendable, Hashable {
            /// The id of the node that emits.
            public let source: UInt64
            /// The id of the node that receives.
            public let subscriber: UInt64
        }

        /// The nodes, in the order in which they were recorded.
        public let nodes: [Node]
        /// The subscriptions between the nodes.
        public let edges: [Edge]
    }

    /// Returns the subscriptions that are alive now and were made while ``Resources/recording`` was on.
    ///
    /// Any thread may call it while other threads subscribe and dispose.
    ///
    /// - Complexity: O(*n* log *n*) for *n* recorded objects.
    public static func graph() -> Graph {
        Graph(SubscriptionRegistry.all, at: .now)
    }
}

extension Resources.Graph {
    /// Makes a graph of the records, oldest first.
    init(_ records: [SubscriptionRecord], at now: ContinuousClock.Instant) {
        var builder = GraphBuilder(records, now)
        builder.build()
        nodes = builder.nodes
        edges = builder.edges
    }
}

extension SubscriptionRecord.Owner {
    /// The owner in a sentence.
    var description: String { isReleased ? "\(name) released" : name }
}
