import RxEngine
import RxLinux
import RxPipelines

/// Tells the journal and the service manager how much is alive.
final class ResourceReporter: Sendable {
    let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.resources")
    private let records: RecordOutbox
    private let lines: LineOutbox

    init(records: RecordOutbox, lines: LineOutbox) {
        self.records = records
        self.lines = lines
    }

    /// One record for the whole, one for each pipeline, and one for each source.
    func report(_ generation: Generation) {
        records.write(whole(generation))
        guard Resources.isTraced else { return tellStatus(generation) }
        for account in generation.graph.accounts { records.write(part(.pipeline, account, generation)) }
        for account in generation.graph.sourceAccounts { records.write(part(.source, account, generation)) }
        tellStatus(generation)
    }

    private func tellStatus(_ generation: Generation) {
        try? ServiceManager.tell(.status(status(generation)))
    }

    /// The state of things in a line.
    func status(_ generation: Generation) -> String {
        let live = Resources.isTraced ? ", \(Resources.total) live resources" : ""
        return "\(generation.plan.summary) running\(live), \(records.dropped + lines.dropped) dropped"
    }

    private func whole(_ generation: Generation) -> Record {
        let process = ProcessStatistics.current()
        let total = Resources.isTraced ? String(Resources.total) : nil
        let live = total.map { "\($0) live resources, " } ?? ""
        return Record(
            .resources, generation: generation.number,
            "\(live)\(process.residentKiB) KiB resident, \(process.descriptors) descriptors",
            [
                .total: total,
                .observables: count(.observable), .subscriptions: count(.subscription),
                .disposables: count(.disposable), .subjects: count(.subject), .timers: count(.timer),
                .watches: String(process.watches),
                .queued: String(records.queued + lines.queued), .dropped: String(records.dropped + lines.dropped),
                .residentKiB: String(process.residentKiB), .descriptors: String(process.descriptors),
            ])
    }

    private func count(_ kind: Resources.Kind) -> String? {
        Resources.isTraced ? String(Resources.count(of: kind)) : nil
    }

    private func part(_ field: RecordField, _ account: Resources.Account, _ generation: Generation) -> Record {
        func count(_ kind: Resources.Kind) -> String { String(account.count(of: kind)) }
        return Record(
            .resources, generation: generation.number, "\(account.total) live resources in \(account.name)",
            [
                field: account.name, .total: String(account.total),
                .observables: count(.observable), .subscriptions: count(.subscription),
                .disposables: count(.disposable), .subjects: count(.subject), .timers: count(.timer),
            ])
    }
}
