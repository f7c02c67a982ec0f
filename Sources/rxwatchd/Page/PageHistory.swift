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
    /// The intervals that it shows, and their seconds: the last quarter of an hour.
    private static let intervals = 90
    private static let seconds = PageEvents.seconds
    /// The most bytes of the lines of what nodes have done.
    private static let maximumBytes = 384 << 10
    /// The longest value in bytes that is kept as it is.
    private static let longestValue = 256
    /// The longest message of a failure in bytes that is kept as it is. The page compares it with that of the status.
    private static let longestMessage = 4096

    /// The message of the failures that have no entries of their own.
    private static let otherFailures = "other failures: the journal has their messages"

    /// What is recorded.
    private struct Content {
        var events = PageEvents(maximumBytes: PageHistory.maximumBytes)
        var samples: [JSON] = []
        /// The number of the interval. The timer of the samples counts it, since the system's clock may be set back.
        var interval = 0
        var followers: [Int: TapRegistry.Receive] = [:]
        var lastFollower = 0
    }

    private let scheduler: any SchedulerType
    private let generation: @Sendable () -> Int?
    private let taps: TapRegistry
    private let secrets: HiddenSecrets
    /// `nil` while nothing is recorded, also for a notification that is on its way when recording stops.
    private let content = Locked<Content?>(nil)
    private let recording = Locked<(any Disposable)?>(nil)

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
            content.withLock { $0 = Content() }
            let samples = Observable<Int>
                .timer(.seconds(0), period: .seconds(Self.seconds), scheduler: scheduler)
                .subscribe(onNext: { [weak self] _ in self?.sample() })
            let events = taps.add([]) { [weak self] in self?.receive($0, $1) }
            recording = CompositeDisposable(samples, events)
        }
    }

    /// Forgets everything, and records nothing from now on. Its followers get nothing any more.
    func stop() {
        let recording = recording.withLock { $0.take() }
        recording?.dispose()
        let content = content.withLock { $0.take() }
        withExtendedLifetime(content) {}
    }

    /// Returns what was recorded, and passes on what nodes do from then on: each notification is in one of the two.
    ///
    /// - Parameter receive: called until disposed, on the thread of a node, which it must not block.
    func follow(_ receive: @escaping TapRegistry.Receive) -> (message: [UInt8], subscription: any Disposable) {
        let (recorded, number) = content.withLock { content -> (Content?, Int?) in
            let recorded = content
            content?.lastFollower += 1
            guard let number = content?.lastFollower else { return (nil, nil) }
            content?.followers[number] = receive
            return (recorded, number)
        }
        guard let number else {
            return (message(of: nil), taps.add([]) { if PageEvents.Key($1) != nil { receive($0, $1) } })
        }
        let subscription = Disposables.create { [self] in
            let removed = content.withLock { $0?.followers.removeValue(forKey: number) }
            withExtendedLifetime(removed) {}
        }
        return (message(of: recorded), subscription)
    }

    /// What a page gets first, with the data of ``PageEvents`` as `events`, and the resource counts as `samples`.
    var message: [UInt8] { message(of: content.withLock(\.self)) }

    /// The text of a copy of the content, which is made outside the lock: nodes wait for that.
    private func message(of content: Content?) -> [UInt8] {
        let content = content ?? Content()
        return Array("event: history\ndata: {\"interval\":\(Self.seconds),\"samples\":".utf8)
            + JSON.array(content.samples).bytes + Array(",\"events\":".utf8) + content.events.json(hidden)
            + Array("}\n\n".utf8)
    }

    /// A line without the credentials of now: a reload may have added some since it was recorded, also one within which
    /// a text was cut.
    private func hidden(_ line: [UInt8]) -> [UInt8] {
        guard let members = (try? JSON(parsing: line))?.object?.members else { return Array("{}".utf8) }
        let shown = members.map { key, value in
            guard let beginning = value.string.flatMap({ Page.cutText($0) }) else {
                return (key, secrets.hidden(in: value))
            }
            return (key, JSON.string(secrets.hidden(inBeginning: beginning) + Page.cutMark))
        }
        return JSON.object(JSON.Object(uniqueKeysWithValues: shown)).bytes
    }

    private func receive(_ node: String, _ notification: TapRegistry.Notification) {
        for follower in record(node, notification).values { follower(node, notification) }
    }

    /// Counts a notification.
    ///
    /// - Returns: those who follow at that moment. Others have it in what was recorded.
    private func record(_ node: String, _ notification: TapRegistry.Notification) -> [Int: TapRegistry.Receive] {
        guard let key = PageEvents.Key(notification) else { return [:] }
        let (missing, followers) = content.withLock { content -> (PageEvents.Key?, [Int: TapRegistry.Receive]) in
            guard let interval = content?.interval else { return (nil, [:]) }
            let missing = content?.events.count(node, key, in: interval) ?? nil
            return (missing, missing == nil ? content?.followers ?? [:] : [:])
        }
        guard let missing else { return followers }
        guard var line = TapClient.line(node, notification, lifecycle: true, hiding: secrets) else { return [:] }
        line = Page.shortened(line, to: Self.longestValue)
        if missing.isOtherFailures {
            line["failed"] = .string(Self.otherFailures)
            for key in ["cause", "id", "retried"] { line[key] = nil }
        }
        if let message = line["failed"]?.string, message.utf8.count > Self.longestMessage {
            line["failed"] = .string(Page.beginning(of: message.utf8, Self.longestMessage))
        }
        let bytes = line.bytes
        return content.withLock { content in
            guard let interval = content?.interval else { return [:] }
            content?.events.add(node, missing, in: interval, bytes)
            return content?.followers ?? [:]
        }
    }

    private func sample() {
        content.withLock { content in
            guard let interval = content?.interval else { return }
            content?.interval = interval + 1
            content?.events.removeOld(before: interval + 1 - Self.intervals)
        }
        guard let generation = generation() else { return }
        let process = ProcessStatistics.current()
        var sample = JSON.object(Resources.counts { Resources.count(of: $0) })
        sample["time"] = .number(scheduler.now.timeIntervalSince1970)
        sample["generation"] = .number(Double(generation))
        sample["rssKiB"] = .number(Double(process.residentKiB))
        sample["fds"] = .number(Double(process.descriptors))
        sample["watches"] = .number(Double(process.watches))
        content.withLock { [sample] content in
            guard let samples = content?.samples else { return }
            content?.samples = samples.suffix(Self.intervals - 1) + [sample]
        }
    }
}
