internal import CYAML

/// An event of libyaml's parser.
struct YAMLEvent {
    /// The kind of an event of the parser.
    enum Kind {
        case documentStart, documentEnd, sequenceStart, sequenceEnd, mappingStart, mappingEnd, streamEnd, other
        case alias(String)
        case scalar(text: String, style: YAMLScalarStyle)
    }

    /// A location as libyaml counts: all three from 0, `index` in Unicode scalars from the start of the text.
    struct Mark {
        var index: Int
        var line: Int
        var column: Int
    }

    var kind: Kind
    var anchor: String?
    var tag: String?
    var start: Mark
    var end: Mark
}

/// How a scalar was written.
enum YAMLScalarStyle {
    case plain, singleQuoted, doubleQuoted, block
}

/// An error that libyaml found in the text.
struct YAMLSyntaxError: Error {
    var problem: String
    /// The construct that the parser was in, as in "while parsing a block mapping", and where that began.
    var context: (text: String, mark: YAMLEvent.Mark)?
    var mark: YAMLEvent.Mark
    /// Set instead of `mark` if the bytes themselves are unreadable.
    var byteOffset: Int?
}

/// The wrapper of libyaml's parser: text in, events out.
///
/// Not `Sendable`. It owns the parser and a copy of the text.
final class YAMLParser {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: [UInt8]) {
        input = .allocate(capacity: max(bytes.count, 1))
        _ = input.initialize(from: bytes)
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        // Fails only if there is no memory; the first call of next() reports that.
        _ = yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// Returns the next event. It must not be called after `streamEnd` or an error.
    func next() throws(YAMLSyntaxError) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { yaml_event_delete(&event) }
        var (kind, anchor, tag): (YAMLEvent.Kind, String?, String?) = (.other, nil, nil)
        switch event.type {
        case YAML_STREAM_END_EVENT: kind = .streamEnd
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
        case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
        case YAML_MAPPING_END_EVENT: kind = .mappingEnd
        case YAML_ALIAS_EVENT: kind = .alias(text(event.data.alias.anchor) ?? "")
        case YAML_SEQUENCE_START_EVENT:
            kind = .sequenceStart
            (anchor, tag) = (text(event.data.sequence_start.anchor), text(event.data.sequence_start.tag))
        case YAML_MAPPING_START_EVENT:
            kind = .mappingStart
            (anchor, tag) = (text(event.data.mapping_start.anchor), text(event.data.mapping_start.tag))
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            kind = .scalar(text: String(decoding: bytes, as: UTF8.self), style: style(scalar.style))
            (anchor, tag) = (text(scalar.anchor), text(scalar.tag))
        default: break
        }
        return YAMLEvent(
            kind: kind, anchor: anchor, tag: tag, start: .init(event.start_mark), end: .init(event.end_mark))
    }

    private var failure: YAMLSyntaxError {
        let state = parser.pointee
        let problem = state.problem.map { String(cString: $0) } ?? "out of memory"
        let context = state.context.map { (String(cString: $0), YAMLEvent.Mark(state.context_mark)) }
        let isUnreadable = state.error == YAML_READER_ERROR
        return YAMLSyntaxError(
            problem: problem, context: isUnreadable ? nil : context, mark: .init(state.problem_mark),
            byteOffset: isUnreadable ? state.problem_offset : nil)
    }

    private func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private func style(_ style: yaml_scalar_style_t) -> YAMLScalarStyle {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
        default: .plain
        }
    }
}

extension YAMLEvent.Mark {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(index: mark.index, line: mark.line, column: mark.column)
    }
}
