import RxEngine

/// Asks HTTP servers, over one pool of connections and on one thread of its own, which waits for all of them.
///
/// What was subscribed to goes on when the client is let go; the thread ends with the last of it, and the connections
/// are closed. Nobody's code runs on the thread: answers are told on a scheduler.
public final class HTTPClient: Sendable {
    /// How much a client does at once.
    public struct Limits: Sendable, Hashable {
        /// How many requests are under way at once; others wait for their turn.
        public var concurrency: Int
        /// How many connections there may be at once; `nil` for as many as are needed.
        public var connections: Int?
        /// How many of them to one host; `nil` for as many as are needed.
        public var connectionsPerHost: Int?
        /// How many connections are kept open for the requests to come; `nil` for half of the descriptors that this
        /// process may have when the client is first used.
        public var idleConnections: Int?

        /// The usual limits, but for what is given.
        public init(
            concurrency: Int = 256, connections: Int? = nil, connectionsPerHost: Int? = nil, idleConnections: Int? = nil
        ) {
            self.concurrency = concurrency
            self.connections = connections
            self.connectionsPerHost = connectionsPerHost
            self.idleConnections = idleConnections
        }
    }

    let core: HTTPCore
    private let scheduler: any ImmediateSchedulerType

    /// A client, which costs nothing until it is used.
    ///
    /// - Parameters:
    ///   - limits: how much it does at once.
    ///   - userAgent: what it calls itself.
    ///   - scheduler: what answers are told on, where nothing else is said; `nil` for a serial queue of its own.
    public init(
        limits: Limits = Limits(), userAgent: String = "RxLinux", scheduler: (any ImmediateSchedulerType)? = nil
    ) {
        core = HTTPCore(limits, userAgent: userAgent)
        self.scheduler = scheduler ?? SerialDispatchQueueScheduler(internalSerialQueueName: "rx.http")
    }

    /// The answer to `request`, whatever its status. Each subscription asks anew; disposing gives the request up.
    ///
    ///     response(to: request)       -----r|
    ///                                 -----X
    ///
    /// Ends with an ``HTTPError`` where no whole answer comes.
    public func response(to request: HTTPRequest) -> Single<HTTPResponse> {
        .create { [core, scheduler] observer in
            core.start(request, on: scheduler) { result in
                observer(result.mapError { $0 })
            }
        }
    }

    /// What comes of `request`, which may be that there is no answer. Each subscription asks anew; disposing gives the
    /// request up.
    ///
    ///     outcome(of: request)        -----o|
    ///
    /// Never ends with an error.
    public func outcome(of request: HTTPRequest) -> Single<HTTPOutcome> {
        .create { [core, scheduler] observer in
            core.start(request, on: scheduler) { result in
                observer(.success(HTTPOutcome(result, of: request)))
            }
        }
    }
}
