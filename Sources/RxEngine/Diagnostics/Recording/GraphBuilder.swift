/// Makes a graph of records: leaves out the subscriptions of operators, and adds sources, which have no record.
struct GraphBuilder {
    private let records: [SubscriptionRecord]
    /// The numbers of the records.
    private let numbers: Set<UInt64>
    private let now: ContinuousClock.Instant
    private let labels: CheckpointLabels
    private(set) var nodes: [Resources.Graph.Node] = []
    private(set) var edges: [Resources.Graph.Edge] = []
    /// The ids of the nodes of shared sources, and of the runs of connections.
    private var shared: [SubscriptionRecord.SharedObject.Key: UInt64] = [:]

    /// Takes the records, oldest first.
    init(_ records: [SubscriptionRecord], _ now: ContinuousClock.Instant) {
        self.records = records
        self.now = now
        numbers = Set(records.lazy.map(\.number))
        labels = CheckpointLabels(records)
    }

    mutating func build() {
        let snapshots = records.map(\.snapshot)
        var withSources: Set<UInt64> = []
        nodes.reserveCapacity(records.count)
        for (record, snapshot) in zip(records, snapshots) {
            if let connection = snapshot.connection { shared[connection] = record.number }
            guard isShown(record) else { continue }
            nodes.append(node(record, snapshot))
            guard let subscriber = shownSubscriber(of: record) else { continue }
            edges.append(Resources.Graph.Edge(source: record.number, subscriber: subscriber))
            withSources.insert(subscriber)
        }
        // A source that is an operator with records of its own has its nodes already.
        for (record, snapshot) in zip(records, snapshots) {
            guard let source = snapshot.source else { continue }
            guard let shownRecord = isShown(record) ? record.number : shownSubscriber(of: record) else { continue }
            if let key = source.shared {
                edges.append(
                    Resources.Graph.Edge(source: sharedNode(key, source.operation), subscriber: shownRecord))
            } else if !withSources.contains(shownRecord) {
                edges.append(Resources.Graph.Edge(source: add(source.operation), subscriber: shownRecord))
            }
        }
    }

    /// Whether the record is a node: the subscription of an operator to its source is not, as the operator is one.
    private func isShown(_ record: SubscriptionRecord) -> Bool {
        record.operation != nil || record.subscriber == nil
    }

    /// The node that receives the events of a record. One that was released before its source is left out.
    private func shownSubscriber(of record: SubscriptionRecord) -> UInt64? {
        var next = record.subscriber
        while let candidate = next {
            if isShown(candidate), numbers.contains(candidate.number) { return candidate.number }
            next = candidate.subscriber
        }
        return nil
    }

    private func node(
        _ record: SubscriptionRecord, _ snapshot: SubscriptionRecord.Snapshot
    ) -> Resources.Graph.Node {
        Resources.Graph.Node(
            id: record.number,
            name: record.operation?.name ?? (snapshot.connection != nil ? "share" : "subscription"),
            checkpoint: labels[record], account: record.account?.name, age: now - record.since,
            elements: snapshot.elements, isDisposed: snapshot.isDisposed, owner: snapshot.owner?.description)
    }

    /// The number of the node of a subject or a connection, which several nodes subscribe to.
    private mutating func sharedNode(_ key: SubscriptionRecord.SharedObject.Key, _ operation: Operator) -> UInt64 {
        if let known = shared[key] { return known }
        let number = add(operation)
        shared[key] = number
        return number
    }

    /// Adds the node of a source. Its number follows those of the records.
    private mutating func add(_ operation: Operator) -> UInt64 {
        let number = max(records.last?.number ?? 0, nodes.last?.id ?? 0) + 1
        nodes.append(
            Resources.Graph.Node(
                id: number, name: operation.name, checkpoint: nil, account: nil, age: nil, elements: nil,
                isDisposed: false, owner: nil))
        return number
    }
}

/// The name of the checkpoint that says where in the program a record is.
struct CheckpointLabels {
    /// The checkpoints upstream, by the numbers of the records downstream.
    private var upstream: [UInt64: String] = [:]

    init(_ records: [SubscriptionRecord]) {
        for record in records {
            guard let name = record.name else { continue }
            var next = record.subscriber
            while let subscriber = next, upstream[subscriber.number] == nil {
                upstream[subscriber.number] = name
                next = subscriber.subscriber
            }
        }
    }

    subscript(record: SubscriptionRecord) -> String? {
        record.nearestName ?? upstream[record.number]
    }
}
