import RxEngine

/// An HTTP client with one connection pool and a thread of its own that waits for all servers.
///
/// Subscriptions continue after the client is released; the thread ends, and the connections are closed, with the last
/// of them. No code of subscribers runs on the thread: a scheduler delivers the responses.
public final class HTTPClient: Sendable {
    /// The limits of a client.
    public struct Limits: Sendable, Hashable {
        /// The most requests that run at once; further ones are queued.
        ///
        /// It is at most a quarter of the process's descriptor limit.
        ///
        /// A request hangs if it runs for more than two seconds, or half of a shorter time limit. Servers with a request
        /// that hangs, or whose last one did, share half of these slots. If more hang, because their servers did not
        /// before, their slots are given to others, so that up to twice as many requests run.
        public var concurrency: Int
        /// The most requests to one server that run at once.
        public var concurrencyPerServer: Int
        /// The most connections at once; `nil` for no limit.
        public var connections: Int?
        /// The most connections to one host; `nil` for no limit.
        public var connectionsPerHost: Int?
        /// How many idle connections are kept open for further requests.
        ///
        /// `nil` is a quarter of the process's descriptor limit when the client is first used.
        public var idleConnections: Int?
        /// How long a connection is used, in whole seconds.
        ///
        /// After this time, a server's new address and new certificate take effect.
        public var connectionLife: Duration
        /// How many names are looked up at once, each on a thread.
        public var lookups: Int
        /// Whether to keep the last quarter of the process's descriptors free for other uses.
        public var leavesDescriptors: Bool
        /// The most bytes of all responses that are received and not delivered. Beyond it, a response may have 64 KiB.
        public var received: Int
        /// The most bytes of the responses that polls remember, to ask only for a change.
        ///
        /// A poll whose response does not fit requests the full body each time.
        public var remembered: Int

        /// Creates the default limits, except for the arguments.
        public init(
            concurrency: Int = 1024, concurrencyPerServer: Int = 128, connections: Int? = nil,
            connectionsPerHost: Int? = nil, idleConnections: Int? = nil, connectionLife: Duration = .seconds(300),
            lookups: Int = 24, leavesDescriptors: Bool = true, received: Int = 64 << 20,
            remembered: Int = 32 << 20
        ) {
            self.concurrency = concurrency
            self.concurrencyPerServer = concurrencyPerServer
            self.connectionLife = connectionLife
            self.lookups = lookups
            self.leavesDescriptors = leavesDescriptors
            self.received = received
            self.remembered = remembered
            self.connections = connections
            self.connectionsPerHost = connectionsPerHost
            self.idleConnections = idleConnections
        }
    }

    let core: HTTPCore
    private let scheduler: any ImmediateSchedulerType

    /// Creates a client, which costs nothing until it is used.
    ///
    /// - Parameters:
    ///   - limits: the limits of the client.
    ///   - userAgent: the value of the header `User-Agent`.
    ///   - scheduler: the scheduler that delivers the responses; `nil` for a serial queue of the client.
    public init(
        limits: Limits = Limits(), userAgent: String = "RxLinux", scheduler: (any ImmediateSchedulerType)? = nil
    ) {
        core = HTTPCore(limits, userAgent: userAgent, NameResolver(maximum: limits.lookups))
        self.scheduler = scheduler ?? SerialDispatchQueueScheduler(internalSerialQueueName: "rx.http")
    }

    /// Creates a client whose addresses are found by `lookup`.
    package init(
        limits: Limits = Limits(), lookup: @escaping @Sendable (HostName) -> Result<[String], HostName.Failure>
    ) {
        core = HTTPCore(limits, userAgent: "RxLinux", NameResolver(maximum: limits.lookups, lookup: lookup))
        scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.http")
    }

    /// Sends `request` and emits its response, whatever its status.
    ///
    ///     response(to: request)       -----r|
    ///                                 -----X
    ///
    /// Each subscription sends the request; disposing it cancels the request. Fails with an ``HTTPError`` if there is
    /// no complete response. The client's scheduler delivers the outcome.
    public func response(to request: HTTPRequest) -> Single<HTTPResponse> {
        response(to: request, onSecret: nil)
    }

    /// Sends the request, emits its response as ``response(to:)`` does, and calls `onSecret` with each of its secrets.
    package func response(to request: HTTPRequest, onSecret: HTTPSecretObserver?) -> Single<HTTPResponse> {
        .create { [core, scheduler] observer in
            core.start(request, on: scheduler, onSecret: onSecret) { result in
                observer(result.mapError { $0 })
            }
        }
    }

    /// Sends `request` and emits its outcome, which may be an error.
    ///
    ///     outcome(of: request)        -----o|
    ///
    /// Each subscription sends the request; disposing it cancels the request. It never fails. The client's scheduler
    /// delivers the outcome.
    public func outcome(of request: HTTPRequest) -> Single<HTTPOutcome> {
        outcome(of: request, onSecret: nil)
    }

    /// Sends the request, emits its outcome as ``outcome(of:)`` does, and calls `onSecret` with each of its secrets.
    ///
    /// - Parameter other: the scheduler that delivers the outcome; `nil` for that of the client.
    package func outcome(
        of request: HTTPRequest, on other: (any ImmediateSchedulerType)? = nil, onSecret: HTTPSecretObserver?
    ) -> Single<HTTPOutcome> {
        .create { [core, scheduler] observer in
            core.start(request, on: other ?? scheduler, onSecret: onSecret) { result in
                observer(.success(HTTPOutcome(result, of: request)))
            }
        }
    }
}
