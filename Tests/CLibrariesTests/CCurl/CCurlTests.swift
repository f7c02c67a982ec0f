import CCurl
import Foundation
import Testing

@Suite struct CCurlTests {
    @Test func libraryIsAtLeast7_88() throws {
        let version = try #require(curl_version_info(CURLVERSION_FIRST)).pointee
        #expect(version.version_num >= 0x07_58_00)
        let protocols = sequence(first: version.protocols) { $0?.successor() }
            .prefix { $0?.pointee != nil }
            .compactMap { $0?.pointee.map { String(cString: $0) } }
        #expect(Set(protocols).isSuperset(of: ["file", "http", "https"]))
    }

    @Test func textCallbacksAndPointersAreSet() throws {
        let file = try TemporaryFile("some content")
        let transfer = Transfer()
        #expect(rx_curl_set_string(transfer.handle, CURLOPT_URL, file.url) == CURLE_OK)
        #expect(curl_easy_perform(transfer.handle) == CURLE_OK)
        // The data callback received the body, through the pointer.
        #expect(transfer.body.text == "some content")

        var address: UnsafePointer<CChar>?
        #expect(rx_curl_get_string(transfer.handle, CURLINFO_EFFECTIVE_URL, &address) == CURLE_OK)
        #expect(address.map { String(cString: $0) } == file.url)
        var size: curl_off_t = 0
        #expect(rx_curl_get_offset(transfer.handle, CURLINFO_SIZE_DOWNLOAD_T, &size) == CURLE_OK)
        #expect(size == 12)
    }

    @Test func numbersAreSet() throws {
        let file = try TemporaryFile("some content")
        let transfer = Transfer(file.url)
        #expect(rx_curl_set_long(transfer.handle, CURLOPT_NOBODY, 1) == CURLE_OK)
        #expect(curl_easy_perform(transfer.handle) == CURLE_OK)
        #expect(transfer.body.text == "")
    }

    @Test func offsetsAreSet() throws {
        let file = try TemporaryFile("some content")
        let transfer = Transfer(file.url)
        #expect(rx_curl_set_offset(transfer.handle, CURLOPT_RESUME_FROM_LARGE, 5) == CURLE_OK)
        #expect(curl_easy_perform(transfer.handle) == CURLE_OK)
        #expect(transfer.body.text == "content")
        // More than 32 bits arrive unchanged.
        #expect(rx_curl_set_offset(transfer.handle, CURLOPT_RESUME_FROM_LARGE, 1 << 40) == CURLE_OK)
        #expect(curl_easy_perform(transfer.handle) == CURLE_BAD_DOWNLOAD_RESUME)
    }

    @Test func listsAreSetAndInfoIsRead() throws {
        let server = try LocalServer(status: "418 I'm a teapot", body: "short and stout")
        server.mayAnswer()
        let transfer = Transfer("http://localhost/kettle", through: server)
        let headers = curl_slist_append(curl_slist_append(nil, "X-One: 1"), "X-Two: 2")
        defer { curl_slist_free_all(headers) }
        #expect(rx_curl_set_list(transfer.handle, CURLOPT_HTTPHEADER, headers) == CURLE_OK)
        #expect(rx_curl_set_data_callback(transfer.handle, CURLOPT_HEADERFUNCTION, Transfer.Bytes.append) == CURLE_OK)
        let answer = Transfer.Bytes()
        #expect(rx_curl_set_pointer(transfer.handle, CURLOPT_HEADERDATA, answer.pointer) == CURLE_OK)
        #expect(curl_easy_perform(transfer.handle) == CURLE_OK)

        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("GET /kettle HTTP/1.1\r\n"))
        #expect(request.contains("\r\nX-One: 1\r\nX-Two: 2\r\n"))
        #expect(transfer.body.text == "short and stout")
        #expect(answer.text.hasPrefix("HTTP/1.1 418 I'm a teapot\r\n"))

        var status = 0
        #expect(rx_curl_get_long(transfer.handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK)
        #expect(status == 418)
        var type: UnsafePointer<CChar>?
        #expect(rx_curl_get_string(transfer.handle, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK)
        #expect(type.map { String(cString: $0) } == "text/plain")
    }

    @Test func unknownOptionIsRefused() {
        let transfer = Transfer()
        let option = CURLoption(rawValue: 9999)
        #expect(rx_curl_set_long(transfer.handle, option, 1) == CURLE_UNKNOWN_OPTION)
        #expect(rx_curl_set_offset(transfer.handle, option, 1) == CURLE_UNKNOWN_OPTION)
        #expect(rx_curl_set_string(transfer.handle, option, "") == CURLE_UNKNOWN_OPTION)
        #expect(rx_curl_set_pointer(transfer.handle, option, nil) == CURLE_UNKNOWN_OPTION)
        #expect(rx_curl_set_list(transfer.handle, option, nil) == CURLE_UNKNOWN_OPTION)
        #expect(rx_curl_set_data_callback(transfer.handle, option, nil) == CURLE_UNKNOWN_OPTION)
    }
}
