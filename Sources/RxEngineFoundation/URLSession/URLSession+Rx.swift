import Foundation
import RxEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Reactive where Base: URLSession {
    /// Sends a request, and emits the response with its body.
    ///
    ///     response(request:)    -------(response, data)|
    ///
    /// Each subscription sends the request again, and disposing it cancels the task. Completes after the one element,
    /// whatever the status of the response. Fails with the session's `URLError`, or with ``RxURLError/unknown`` or
    /// ``RxURLError/nonHTTPResponse(response:)``.
    /// The observer is called on the session's delegate queue.
    ///
    ///     session.rx.response(request: URLRequest(url: url))
    ///         .subscribe(onNext: { response, data in print(response.statusCode, data.count) })
    ///
    /// The whole body is held in memory until it is complete, whatever its size. No setting limits the size; a program
    /// that expects large bodies disposes the subscription. Of the session's `URLSessionConfiguration`:
    ///
    /// - `timeoutIntervalForRequest` limits the wait for each part of the response, in whole seconds (default: 60); a
    ///   `timeoutInterval` that is set on the request takes precedence.
    /// - `httpMaximumConnectionsPerHost` limits how many responses of a host arrive at the same time.
    /// - `timeoutIntervalForResource` has no effect on Linux. The operator `timeout` limits the time of the whole request:
    ///   `.timeout(.seconds(30), scheduler: scheduler)`.
    ///
    /// - Parameter request: the request.
    /// - Complexity: Holds the whole body.
    public func response(request: URLRequest) -> Observable<(response: HTTPURLResponse, data: Data)> {
        let session = base
        return .source(onTrampoline: false) { sink in
            let delivery = ResponseDelivery(to: sink, of: request)
            let task = session.dataTask(with: request) { data, response, error in
                delivery.finish(data, response, error)
            }
            task.resume()
            return Disposables.create { task.cancel() }
        }
    }

    /// Sends a request, and emits the body of a successful response.
    ///
    ///     data(request:)    -------data|
    ///
    /// Each subscription sends the request again, and disposing it cancels the task. Completes after the one element.
    /// Fails with ``RxURLError/httpRequestFailed(response:data:)`` if the status is not between 200 and 299, and
    /// otherwise as ``response(request:)``.
    /// The observer is called on the session's delegate queue.
    public func data(request: URLRequest) -> Observable<Data> {
        successful(request).map { $0.data }
    }

    private func successful(_ request: URLRequest) -> Observable<(response: HTTPURLResponse, data: Data)> {
        response(request: request).map { response, data in
            guard 200..<300 ~= response.statusCode else {
                throw RxURLError.httpRequestFailed(response: response, data: data)
            }
            return (response, data)
        }
    }

    /// Sends a request, and emits the text in the body of a successful response.
    ///
    ///     string(request:)    -------text|
    ///
    /// Each subscription sends the request again, and disposing it cancels the task. Completes after the one element.
    /// Fails with ``RxURLError/deserializationError(error:)`` if the body is not text in this encoding, and otherwise as
    /// ``data(request:)``.
    /// The observer is called on the session's delegate queue.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - encoding: the encoding of the text; `nil` for the one that the response declares, UTF-8 by default. Declared
    ///     encodings that are known are those of Unicode, ASCII, ISO 8859-1 and -2, and Windows-1250 to -1254.
    public func string(request: URLRequest, encoding: String.Encoding? = nil) -> Observable<String> {
        successful(request).map { response, data in
            let encoding = try encoding ?? response.textEncoding
            guard let text = String(data: data, encoding: encoding) else {
                throw RxURLError.deserializationError(error: CocoaError(.fileReadInapplicableStringEncoding))
            }
            return text
        }
    }

    /// Sends a GET request to `url`, and emits the text in the body of a successful response.
    ///
    /// Completes and fails as ``string(request:encoding:)``.
    /// The observer is called on the session's delegate queue.
    public func string(url: URL) -> Observable<String> {
        string(request: URLRequest(url: url))
    }

    /// Sends a request, and emits the value of the JSON in the body of a successful response.
    ///
    ///     json(request:)    -------value|
    ///
    /// Each subscription sends the request again, and disposing it cancels the task. Completes after the one element.
    /// Fails with ``RxURLError/deserializationError(error:)`` if the body is not JSON, and otherwise as
    /// ``data(request:)``.
    /// The observer is called on the session's delegate queue.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - options: how the JSON is read.
    public func json(request: URLRequest, options: JSONSerialization.ReadingOptions = []) -> Observable<Any> {
        data(request: request).map { data in
            do {
                return try JSONSerialization.jsonObject(with: data, options: options)
            } catch {
                throw RxURLError.deserializationError(error: error)
            }
        }
    }

    /// Sends a GET request to `url`, and emits the value of the JSON in the body of a successful response.
    ///
    /// Completes and fails as ``json(request:options:)``.
    /// The observer is called on the session's delegate queue.
    public func json(url: URL) -> Observable<Any> {
        json(request: URLRequest(url: url))
    }
}

extension HTTPURLResponse {
    /// The encoding that the response declares for its text, which is UTF-8 if it declares none.
    fileprivate var textEncoding: String.Encoding {
        get throws(RxURLError) {
            let name = (textEncodingName ?? "").lowercased().filter { $0 != "\"" && $0 != "'" && $0 != " " }
            if name.isEmpty { return .utf8 }
            guard let encoding = Self.encodings[name] else {
                throw .deserializationError(error: CocoaError(.fileReadUnknownStringEncoding))
            }
            return encoding
        }
    }

    /// The encodings that can be read here, by their names in HTTP.
    static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .utf8, "ascii": .utf8, "utf-16": .utf16, "utf-16be": .utf16BigEndian,
        "utf-16le": .utf16LittleEndian, "utf-32": .utf32, "iso-8859-1": .isoLatin1, "latin1": .isoLatin1,
        "iso-8859-2": .isoLatin2, "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
        "windows-1252": .windowsCP1252, "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
    ]
}

// Unchecked: the task calls it once, and the sink may be called on any thread.
/// Delivers the outcome of a task to a sink.
final class ResponseDelivery: @unchecked Sendable {
    private let sink: Sink<(response: HTTPURLResponse, data: Data)>
    private let log: RequestLog?

    init(to sink: Sink<(response: HTTPURLResponse, data: Data)>, of request: URLRequest) {
        self.sink = sink
        log = RequestLog(request)
    }

    func finish(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        // A cancelled task fails; nobody is interested in that.
        guard sink.live.isActive else {
            log?.cancel()
            return
        }
        log?.finish(response, error)
        guard error == nil, let data, let response else { return sink.error(error ?? RxURLError.unknown) }
        guard let httpResponse = response as? HTTPURLResponse else {
            return sink.error(RxURLError.nonHTTPResponse(response: response))
        }
        sink.next((httpResponse, data))
        if sink.live.isActive { sink.completed() }
    }
}
