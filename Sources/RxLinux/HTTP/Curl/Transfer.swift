import CCurl
import CLinux
import Glibc
import RxEngine

// Unchecked: the completion is behind the lock; everything else belongs to the loop's thread once it was submitted.
/// One request on its way.
final class Transfer: @unchecked Sendable {
    /// What its outcome is told to, once.
    typealias Completion = @Sendable (Result<HTTPResponse, HTTPError>) -> Void

    /// What is asked.
    let prepared: PreparedRequest
    /// When it was submitted.
    let submitted = MonotonicClock.now
    /// When it was started.
    var started: UInt64 = 0
    /// When the first byte is due.
    var firstByteDue: UInt64?
    /// Whether the first byte was not there when it was due.
    var isLateWithFirstByte = false
    /// What arrives.
    var assembly: ResponseAssembly
    /// Why no socket could be opened.
    var openError: Int32 = 0
    /// What the system said when connecting failed.
    var systemError: Int32 = 0
    /// Whether it ever had a connection.
    var connected = false
    /// Where it runs.
    var multi: CurlMulti?
    /// What libcurl uses while it runs.
    var lists: [CurlList] = []

    private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private let lock = Lock()
    private var completion: Completion?

    init(_ prepared: PreparedRequest, _ completion: @escaping Completion) {
        self.prepared = prepared
        self.completion = completion
        let limits = prepared.request.limits
        assembly = ResponseAssembly(
            headerLimit: limits.header, bodyLimit: limits.body, keepsBody: prepared.request.needsBody)
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        errorBuffer.deallocate()
    }

    /// Whether nobody wants to know any more.
    var isOver: Bool {
        lock.locked { completion == nil }
    }

    /// Lets the completion go.
    ///
    /// - Returns: whether it had not been called.
    func abandon() -> Bool {
        lock.locked { completion.take() } != nil
    }

    /// Tells the outcome, unless it was abandoned.
    func complete(_ result: Result<HTTPResponse, HTTPError>) {
        lock.locked { completion.take() }?(result)
    }

    /// What libcurl says about the error.
    var errorText: String { String(cString: errorBuffer) }

    /// Sets up `handle` to make this request and to bring the answer here.
    ///
    /// - Returns: why that cannot be, in words.
    func configure(_ handle: UnsafeMutableRawPointer, userAgent: String) -> String? {
        var options = CurlOptions(handle)
        lists = options.set(prepared, userAgent: userAgent)
        let context = Unmanaged.passUnretained(self).toOpaque()
        options.set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorBuffer))
        options.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Transfer.take(bytes, size * count, context) { $0.takeLine($1) }
        }
        options.set(CURLOPT_HEADERDATA, context)
        options.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Transfer.take(bytes, size * count, context) { $0.takePiece($1) }
        }
        options.set(CURLOPT_WRITEDATA, context)
        options.setOpenSocket { context, _, address in Transfer.openSocket(context, address) }
        options.set(CURLOPT_OPENSOCKETDATA, context)
        return options.refusal
    }

    private static func take(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        _ body: (inout ResponseAssembly, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        // Any other number than what came ends the transfer, and none may have come.
        return body(&transfer.assembly, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : count + 1
    }

    /// As libcurl opens one, but that programs which are started do not inherit it.
    private static func openSocket(
        _ context: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<curl_sockaddr>?
    ) -> curl_socket_t {
        guard let context, let address = address?.pointee else { return rx_curl_no_socket }
        let type = address.socktype | rx_socket_cloexec
        let descriptor = socket(address.family, type, address.protocol)
        let isKept = descriptor >= 0 && DescriptorReserve.allows(descriptor)
        if isKept { return descriptor }
        Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().openError = descriptor < 0 ? errno : EMFILE
        close(descriptor)
        return rx_curl_no_socket
    }
}

/// The clock that the loop goes by, in nanoseconds.
enum MonotonicClock {
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
