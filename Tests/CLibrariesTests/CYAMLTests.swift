import CYAML
import Testing

@Suite struct CYAMLTests {
    @Test func libraryIsAtLeast0_2_5() {
        var version: (Int32, Int32, Int32) = (0, 0, 0)
        yaml_get_version(&version.0, &version.1, &version.2)
        #expect(version >= (0, 2, 5))
    }

    @Test func documentIsReadWithMarks() throws {
        let found = try events(of: "a: 1\nb:\n  - two\n")
        #expect(found.map(\.type).first == YAML_STREAM_START_EVENT)
        #expect(found.map(\.type).last == YAML_STREAM_END_EVENT)
        #expect(found.compactMap(\.scalar) == ["a @ 0:0", "1 @ 0:3", "b @ 1:0", "two @ 2:4"])
    }

    @Test func parseErrorHasLocation() {
        #expect(throws: SyntaxError(line: 1, column: 4)) { try events(of: "a: 1\nb: c: d\n") }
    }

    private struct Found {
        let type: yaml_event_type_t
        let scalar: String?
    }

    private struct SyntaxError: Error, Equatable {
        let line: Int
        let column: Int
    }

    private func events(of text: String) throws -> [Found] {
        var parser = yaml_parser_t()
        #expect(yaml_parser_initialize(&parser) == 1)
        defer { yaml_parser_delete(&parser) }
        let bytes = Array(text.utf8)
        return try bytes.withUnsafeBufferPointer { bytes in
            yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
            var found: [Found] = []
            repeat {
                var event = yaml_event_t()
                guard yaml_parser_parse(&parser, &event) == 1 else {
                    let mark = parser.problem_mark
                    throw SyntaxError(line: mark.line, column: mark.column)
                }
                found.append(Found(type: event.type, scalar: scalar(of: event)))
                yaml_event_delete(&event)
            } while found.last?.type != YAML_STREAM_END_EVENT
            return found
        }
    }

    private func scalar(of event: yaml_event_t) -> String? {
        guard event.type == YAML_SCALAR_EVENT else { return nil }
        let value = UnsafeBufferPointer(start: event.data.scalar.value, count: event.data.scalar.length)
        let mark = event.start_mark
        return "\(String(decoding: value, as: UTF8.self)) @ \(mark.line):\(mark.column)"
    }
}
