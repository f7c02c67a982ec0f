import RxDiagnostics

extension YAMLReader {
    /// Reads the node that begins with an event.
    ///
    /// - Parameters:
    ///   - event: the first event of the node.
    ///   - depth: the number of lists and mappings around it.
    mutating func readNode(_ event: YAMLEvent, depth: Int) throws(Diagnostic) -> YAMLNode {
        if case .alias(let name) = event.kind { return try expand(name, at: event.start, depth: depth) }
        try countNodes(1, at: event.start)
        let (before, lengthBefore) = (count, length)
        let outside = deepest
        deepest = depth
        if event.kind.isCollection { try reach(depth + 1, at: event.start) }
        if let anchor = event.anchor { open.insert(anchor) }
        let node = YAMLNode(try readValue(event, depth: depth), at: location(event.start))
        if let anchor = event.anchor {
            open.remove(anchor)
            anchors[anchor] = Anchor(
                node: node, size: count - before + 1, length: length - lengthBefore, height: deepest - depth)
        }
        deepest = max(deepest, outside)
        return node
    }

    private mutating func reach(_ depth: Int, at mark: YAMLEvent.Mark) throws(Diagnostic) {
        if depth > Self.maximumDepth {
            throw Diagnostic("nested deeper than \(Self.maximumDepth) levels", at: location(mark))
        }
        deepest = max(deepest, depth)
    }

    private mutating func readValue(_ event: YAMLEvent, depth: Int) throws(Diagnostic) -> YAMLNode.Value {
        switch event.kind {
        case .scalar(let text, let style):
            try countText(text.utf8.count, at: event.start)
            return .scalar(
                YAMLNode.Scalar(
                    located(text, style, event), isPlain: try isPlain(event.tag, style: style, at: event.start)))
        case .sequenceStart:
            try allow("seq", event)
            var nodes: [YAMLNode] = []
            while case let event = try next(), !event.kind.isEnd { nodes.append(try readNode(event, depth: depth + 1)) }
            return .sequence(nodes)
        default:
            try allow("map", event)
            return .mapping(try readPairs(depth: depth + 1))
        }
    }

    private mutating func readPairs(depth: Int) throws(Diagnostic) -> [YAMLNode.Pair] {
        var pairs: [YAMLNode.Pair] = []
        var places: [String: SourceLocation] = [:]
        while case let event = try next(), !event.kind.isEnd {
            let place = location(event.start)
            let outerKey = latestKey
            let keyNode = try readNode(event, depth: depth)
            guard let scalar = keyNode.scalar, !(scalar.isPlain && scalar.text.text.isEmpty) else {
                if keyNode.mapping != nil, let advice = adviceForBraces(before: event.start.index, of: outerKey) {
                    throw Diagnostic(advice, at: place)
                }
                throw Diagnostic("a key must be a text, not \(keyNode.described)", at: place)
            }
            let key = scalar.text.text
            latestKey = key
            let value = try readNode(try next(), depth: depth)
            if let first = places[key] {
                report.add("the key '\(key)' is already given at \(first); keep one of them", at: place)
            } else {
                places[key] = place
                pairs.append(YAMLNode.Pair(key, at: place, value))
            }
        }
        return pairs
    }

    private mutating func expand(
        _ name: String, at mark: YAMLEvent.Mark, depth: Int
    ) throws(Diagnostic) -> YAMLNode {
        if open.contains(name) {
            throw Diagnostic(
                "the alias '*\(name)' is inside the node '&\(name)' that it refers to; remove it", at: location(mark))
        }
        guard let anchor = anchors[name] else {
            let near = NearestName.hint(for: name, in: anchors.keys.sorted())
            let problem = "the alias '*\(name)' names no anchor '&\(name)' above it"
            throw Diagnostic(
                problem + (near.isEmpty ? "; \(Self.quotes("*", "*\(name)"))" : near),
                at: location(mark))
        }
        try countNodes(anchor.size, at: mark)
        try countText(anchor.length, at: mark)
        try reach(depth + anchor.height, at: mark)
        return anchor.node
    }

    private mutating func countNodes(_ more: Int, at mark: YAMLEvent.Mark) throws(Diagnostic) {
        count += more
        if count > Self.maximumNodes {
            throw Diagnostic("more than \(Self.maximumNodes) values, aliases counted in full", at: location(mark))
        }
    }

    private mutating func countText(_ more: Int, at mark: YAMLEvent.Mark) throws(Diagnostic) {
        length += more
        if length > Self.maximumText {
            let limit = Self.maximumText >> 20
            throw Diagnostic("more than \(limit) MiB of text, aliases counted in full", at: location(mark))
        }
    }

    private func located(_ text: String, _ style: YAMLScalarStyle, _ event: YAMLEvent) -> LocatedText {
        let marks = YAMLScalarMarks.marks(of: text, style: style, in: source, from: event.start, to: event.end)
        return LocatedText(text, file: file, marks: marks)
    }

    /// Whether a scalar may be a number or a truth value. Core tags may decide that; other tags are errors.
    private func isPlain(_ tag: String?, style: YAMLScalarStyle, at mark: YAMLEvent.Mark) throws(Diagnostic) -> Bool {
        switch tag {
        case nil: return style == .plain
        case "!", "tag:yaml.org,2002:str": return false
        case "tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:bool", "tag:yaml.org,2002:null":
            return true
        case .some(let tag): throw unknownTag(tag, at: mark)
        }
    }

    private func allow(_ tag: String, _ event: YAMLEvent) throws(Diagnostic) {
        guard let given = event.tag, given != "!", given != "tag:yaml.org,2002:\(tag)" else { return }
        throw unknownTag(given, at: event.start)
    }

    private func unknownTag(_ tag: String, at mark: YAMLEvent.Mark) -> Diagnostic {
        // `filter: != 5`, for example.
        let isOperator = tag.hasPrefix("!=") || tag == "!"
        let text = isOperator ? Self.quotes("!", "\(tag) …") : "the tag '\(tag)' means nothing here; remove it"
        return Diagnostic(text, at: location(mark))
    }
}

extension YAMLEvent.Kind {
    fileprivate var isCollection: Bool {
        switch self {
        case .sequenceStart, .mappingStart: true
        default: false
        }
    }

    /// Whether the event ends the list or mapping that is being read, or the document.
    fileprivate var isEnd: Bool {
        switch self {
        case .sequenceEnd, .mappingEnd, .documentEnd, .streamEnd: true
        default: false
        }
    }
}
