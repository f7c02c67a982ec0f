import FoundationEssentials
import RxEngine
import RxJSON
import RxLinux
import RxPipelines

/// The last minutes before a page is opened, at a coarse interval: what nodes have done, and the resource counts.
///
/// While no page is wanted, it holds nothing and costs nothing. Otherwise an event costs a lock and a look into a table,
/// and its value is only read if it is the first one of its node in the interval.
final class PageHistory: Sendable {
    /// The seconds that it shows.
    private static let span = 900.0
    /// The most bytes of the lines of what nodes have done.
    private static let maximumBytes = 384 << 10
    /// The longest value in bytes that is kept as it is.
    private static let longestValue = 256
    /// The longest message of a failure in bytes that is kept as it is. The page compares it with that of the status.
    private static let longestMessage = 4096

    private typealias Content = (events: PageEvents, samples: [JSON])

    private let scheduler: any SchedulerType
    private let generation: @Sendable () -> Int?
    private let taps: TapRegistry
    private let secrets: HiddenSecrets
    private let content = Locked(PageHistory.nothing)
    private let recording = Locked<(any Disposable)?>(nil)

    private static var nothing: Content { (PageEvents(maximumBytes: maximumBytes), []) }

    /// - Parameters:
    ///   - scheduler: where the resource counts are read.
    ///   - secrets: the credentials that it must not contain.
    ///   - generation: the number of the running generation; `nil` if nothing runs.
    init(
        on scheduler: any SchedulerType, _ taps: TapRegistry, hiding secrets: HiddenSecrets,
        generation: @escaping @Sendable () -> Int?
    ) {
        (self.scheduler, self.taps, self.secrets, self.generation) = (scheduler, taps, secrets, generation)
    }

    /// Records from now on, if it does not yet.
    func start() {
        recording.withLock { recording in
            guard recording == nil else { return }
            let samples = Observable<Int>
                .timer(.seconds(0), period: .seconds(Int(PageEvents.interval)), scheduler: scheduler)
                .subscribe(onNext: { [weak self] _ in self?.sample() })
            let events = taps.add([]) { [weak self] in self?.receive($0, $1) }
            recording = CompositeDisposable(samples, events)
        }
    }

    /// Forgets everything, and records nothing from now on.
    func stop() {
        let recording = recording.withLock { $0.take() }
        recording?.dispose()
        content.withLock { $0 = Self.nothing }
    }

    /// What a page gets first, with the data of ``PageEvents`` as `events`, and the resource counts as `samples`.
    var message: [UInt8] {
        // The text is made outside the lock, for which nodes wait.
        let (events, samples) = content.withLock { content in (content.events, content.samples) }
        return Array("event: history\ndata: {\"interval\":\(Int(PageEvents.interval)),\"samples\":".utf8)
            + JSON.array(samples).bytes + Array(",\"events\":".utf8) + events.json + Array("}\n\n".utf8)
    }

    private func receive(_ node: String, _ notification: TapRegistry.Notification) {
        guard let key = PageEvents.Key(notification) else { return }
        let now = scheduler.now.timeIntervalSince1970
        if content.withLock({ $0.events.count(node, key, at: now) }) { return }
        guard var line = TapClient.line(node, notification, lifecycle: true, hiding: secrets) else { return }
        line = Page.shortened(line, to: Self.longestValue)
        if let message = line["failed"]?.string, message.utf8.count > Self.longestMessage {
            line["failed"] = .string(Page.beginning(of: message.utf8, Self.longestMessage))
        }
        let bytes = line.bytes
        content.withLock { $0.events.add(node, key, at: now, bytes) }
    }

    private func sample() {
        guard let generation = generation() else { return }
        let now = scheduler.now.timeIntervalSince1970
        let process = ProcessStatistics.current()
        var sample = JSON.object(Resources.counts { Resources.count(of: $0) })
        sample["time"] = .number(now)
        sample["generation"] = .number(Double(generation))
        sample["rssKiB"] = .number(Double(process.residentKiB))
        sample["fds"] = .number(Double(process.descriptors))
        sample["watches"] = .number(Double(process.watches))
        content.withLock { [sample] content in
            content.samples = content.samples.suffix(Int(Self.span / PageEvents.interval) - 1) + [sample]
            content.events.removeOld(before: now - Self.span)
        }
    }
}
