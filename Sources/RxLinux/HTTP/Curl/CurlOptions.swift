import CCurl
import RxEngine

/// Sets the options of a transfer, and records the first that libcurl refuses.
struct CurlOptions {
    private let handle: UnsafeMutableRawPointer
    /// The first option that was refused, in words.
    private(set) var refusal: String?

    init(_ handle: UnsafeMutableRawPointer) {
        self.handle = handle
    }

    mutating func set(_ option: CURLoption, _ value: Int) {
        check(rx_curl_set_long(handle, option, value), option)
    }

    mutating func set(_ option: CURLoption, _ value: Bool) {
        set(option, value ? 1 : 0)
    }

    mutating func set(_ option: CURLoption, size value: Int) {
        check(rx_curl_set_offset(handle, option, curl_off_t(value)), option)
    }

    /// Sets milliseconds, at least one: zero would mean no limit.
    mutating func set(_ option: CURLoption, _ value: Duration) {
        set(option, Int(clamping: min(max(1, value.nanoseconds / 1_000_000), Int64(Int32.max))))
    }

    /// Sets a string, which libcurl copies.
    mutating func set(_ option: CURLoption, _ value: String) {
        check(rx_curl_set_string(handle, option, value), option)
    }

    /// Sets a list, which libcurl does not copy: it must outlive the transfer.
    mutating func set(_ option: CURLoption, _ list: CurlList) {
        check(rx_curl_set_list(handle, option, list.first), option)
    }

    mutating func set(_ option: CURLoption, _ pointer: UnsafeMutableRawPointer) {
        check(rx_curl_set_pointer(handle, option, pointer), option)
    }

    mutating func set(_ option: CURLoption, _ callback: @escaping rx_curl_data_callback) {
        check(rx_curl_set_data_callback(handle, option, callback), option)
    }

    mutating func setOpenSocket(_ callback: @escaping curl_opensocket_callback) {
        check(rx_curl_set_open_socket_callback(handle, callback), CURLOPT_OPENSOCKETFUNCTION)
    }

    private mutating func check(_ code: CURLcode, _ option: CURLoption) {
        guard code != CURLE_OK, refusal == nil else { return }
        let name = curl_easy_option_by_id(CURLoption(option.rawValue)).map { String(cString: $0.pointee.name) }
        refusal = "libcurl refuses the option \(name ?? "?"): \(String(cString: curl_easy_strerror(code)))"
    }
}

/// A linked list of strings for libcurl.
final class CurlList {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    func append(_ text: String) {
        // Without memory, the list stays as it is.
        if let longer = curl_slist_append(first, text) { first = longer }
    }

    deinit {
        curl_slist_free_all(first)
    }
}
