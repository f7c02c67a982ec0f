import RxJSON
import RxLinux

/// What a sink would do for an event: what `rxwatchctl try` shows in place of doing it.
package struct SinkAction: Sendable, Equatable {
    /// The action in words, such as `reload nginx.service`.
    package let text: String
    /// The parts of the action, for programs.
    package let details: JSON

    init(_ text: String, _ details: JSON) {
        (self.text, self.details) = (text, details)
    }

    /// Texts by their names, of which the last one of a name counts.
    static func members(_ pairs: [(name: String, value: String)]) -> JSON {
        var object = JSON.Object()
        for (name, value) in pairs { object[name] = .string(value) }
        return .object(object)
    }
}

extension HTTPRequest {
    /// The request in words: `POST http://host/ with {"a":1}`.
    var action: String {
        "\(method) \(url)\(body.map { " with \(String(decoding: $0, as: UTF8.self))" } ?? "")"
    }
}

extension Command {
    /// The program and its arguments as texts.
    var words: [String] { run.map { String(decoding: $0, as: UTF8.self) } }

    /// The command in words: `run echo 'a b'`.
    var action: String { "run \(words.commandLine)" }
}

extension [String] {
    /// The arguments as a command line of a shell.
    var commandLine: String {
        map { word in
            let isPlain =
                !word.isEmpty
                && word.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"):
                        true
                    default: "-_./=:@%+,".utf8.contains(byte)
                    }
                }
            return isPlain ? word : "'\(word.replacing("'", with: #"'\''"#))'"
        }.joined(separator: " ")
    }
}
