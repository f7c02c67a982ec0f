import CCurl
import Foundation
import Testing

/// A transfer that collects its body.
final class Transfer {
    /// The bytes that arrive through a callback.
    final class Bytes {
        private var bytes: [UInt8] = []

        var text: String { String(decoding: bytes, as: UTF8.self) }
        var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

        static let append: rx_curl_data_callback = { bytes, size, count, context in
            guard let context else { return 0 }
            let new = UnsafeRawBufferPointer(start: bytes, count: size * count)
            Unmanaged<Bytes>.fromOpaque(context).takeUnretainedValue().bytes += new
            return size * count
        }
    }

    /// Called before the first handle, and on one thread.
    private static let initialized = curl_global_init(Int(CURL_GLOBAL_ALL))

    let handle: UnsafeMutableRawPointer?
    let body = Bytes()

    init() {
        #expect(Self.initialized == CURLE_OK)
        handle = curl_easy_init()
        #expect(rx_curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION, Bytes.append) == CURLE_OK)
        #expect(rx_curl_set_pointer(handle, CURLOPT_WRITEDATA, body.pointer) == CURLE_OK)
        #expect(rx_curl_set_long(handle, CURLOPT_NOSIGNAL, 1) == CURLE_OK)
    }

    convenience init(_ url: String, through server: LocalServer? = nil) {
        self.init()
        #expect(rx_curl_set_string(handle, CURLOPT_URL, url) == CURLE_OK)
        guard let server else { return }
        #expect(rx_curl_set_string(handle, CURLOPT_UNIX_SOCKET_PATH, server.path) == CURLE_OK)
        #expect(rx_curl_set_string(handle, CURLOPT_PROXY, "") == CURLE_OK)
    }

    deinit {
        curl_easy_cleanup(handle)
    }
}

/// A file that is deleted with the object.
final class TemporaryFile {
    let url: String

    init(_ content: String) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try content.write(toFile: path, atomically: false, encoding: .utf8)
        url = "file://\(path)"
    }

    deinit {
        unlink(String(url.dropFirst("file://".count)))
    }
}
