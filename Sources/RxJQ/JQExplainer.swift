import RxDiagnostics

/// Rewrites jq's error messages into ones that say what to do.
struct JQExplainer {
    let variables: [String]

    func explain(_ reported: JQReportedError, at origin: JQSource.Origin) -> Diagnostic {
        if reported.isInUserLibrary {
            let reason = "jq reads the file .jq of the home directory first, and there is an error in it"
            return Diagnostic("\(reason): \(reported.text)", at: origin.text.location)
        }
        let offset = origin.isEnd ? origin.offset : origin.text.startOfToken(at: origin.offset)
        let isEnd = reported.text.contains("unexpected $end") || origin.isEnd
        let place = origin.text.location(at: reported.isSyntaxError && isEnd ? origin.text.endOfContent : offset)
        return Diagnostic(message(for: reported, token: token(in: origin.text, at: offset), isEnd, origin), at: place)
    }

    private func message(
        for reported: JQReportedError, token: String, _ isEnd: Bool, _ origin: JQSource.Origin
    ) -> String {
        let text = reported.text
        if reported.isSyntaxError {
            return isEnd ? endMessage(origin.text.text) : tokenMessage(token, origin)
        }
        if let label = text.firstMatchText(after: "$*label-", before: " is not defined") {
            return "there is no label $\(label) around this 'break $\(label)'"
        }
        if text.hasPrefix("$"), let name = text.firstMatchText(after: "$", before: " is not defined") {
            return "there is no variable $\(name) here; \(variablesMessage(insteadOf: name))"
        }
        if let function = text.firstMatchText(after: "", before: " is not defined") {
            return functionMessage(function)
        }
        if text.hasPrefix("Possibly unterminated 'if'") { return "this 'if' needs a 'then' and an 'end'" }
        if text.hasPrefix("function compiled to ") || reported.isTooDeep {
            return "this is too long for jq; do it in several steps"
        }
        if text.hasPrefix("break requires") { return "'break' needs the label it goes to: break $name" }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    private func tokenMessage(_ token: String, _ origin: JQSource.Origin) -> String {
        if let advice = JQForeignSyntax.advice(for: token, in: origin.text.text, at: origin.offset) { return advice }
        return switch token.unicodeScalars.first {
        case ")", "]", "}": scanner(origin.text.text.unicodeScalars.prefix(origin.offset)).complaint(about: token)
        case "'": "jq has no single quotes; write a text in double quotes"
        case nil: "the expression ends too early"
        default: "unexpected '\(token)' in the jq expression"
        }
    }

    private func endMessage(_ text: String) -> String {
        let early = "the expression ends too early"
        let expected = scanner(text.unicodeScalars[...]).expected
        if expected != "\"", let last = Self.lastOperator(of: text) {
            return early + "; something is missing after '\(last)'"
        }
        return early + (expected.map { "; a '\($0)' is missing" } ?? "")
    }

    /// The operator or keyword at the end of an expression, which needs something after it.
    private static func lastOperator(of text: String) -> String? {
        let characters = Array(text)
        let end = characters.lastIndex { !$0.isWhitespace }.map { $0 + 1 } ?? 0
        let symbols = characters[..<end].reversed().prefix { "+-*/%|,=<>!".contains($0) }
        if !symbols.isEmpty { return String(symbols.reversed()) }
        let word = String(characters[..<end].reversed().prefix { $0.isLetter }.reversed())
        let before = characters[..<(end - word.count)].last
        let isKeyword = ["and", "or", "if", "then", "elif", "else", "as", "try", "catch"].contains(word)
        return isKeyword && before.map { $0.isWhitespace || "()[]{},;|".contains($0) } ?? true ? word : nil
    }

    private func scanner(_ scalars: Substring.UnicodeScalarView) -> JQScanner {
        var scanner = JQScanner()
        for scalar in scalars { _ = scanner.feed(scalar) }
        return scanner
    }

    private func variablesMessage(insteadOf name: String) -> String {
        if variables.isEmpty { return "there are none" }
        if let meant = NearestName.name(to: name, in: variables) { return "did you mean $\(meant)?" }
        if variables.count == 1 { return "the only one is $\(variables[0])" }
        return "the variables are " + variables.map { "$\($0)" }.joined(separator: ", ")
    }

    private func functionMessage(_ function: String) -> String {
        let parts = function.split(separator: "/")
        guard parts.count == 2, let arity = Int(parts[1]) else { return "there is no function '\(function)'" }
        // A name without arguments may be a field that lacks its dot.
        let field = arity == 0 ? ".\(parts[0])" : nil
        let name = String(parts[0])
        let builtins = Self.builtins
        let arities = builtins.filter { $0.name == name }.map(\.arity).sorted()
        if arities.isEmpty {
            if let meant = JQForeignSyntax.functions[name] {
                return "there is no function '\(name)'; did you mean '\(meant)'?"
            }
            let near = NearestName.name(to: name, in: builtins.map(\.name).sorted())
            let meant = [near, field].compactMap { $0.map { "'\($0)'" } }.joined(separator: " or ")
            return "there is no function '\(name)'" + (meant.isEmpty ? "" : "; did you mean \(meant)?")
        }
        let possible = arities.map(String.init).joined(separator: " or ")
        return "the function '\(name)' takes \(possible) argument\(arities == [1] ? "" : "s"), not \(arity)"
            + (field.map { "; for the field write '\($0)'" } ?? "")
    }

    /// The builtin functions, which jq itself lists when the first message needs them.
    private static let builtins: [(name: String, arity: Int)] = {
        guard let state = try? JQState("builtins[] | debug | empty"), state.take(),
            let names = try? state.run(JV(.null), for: nil, limit: 10_000)
        else {
            return []
        }
        return names.compactMap { name in
            let parts = (name.json.string ?? "").split(separator: "/")
            guard parts.count == 2, let arity = Int(parts[1]) else { return nil }
            return (String(parts[0]), arity)
        }
    }()

    /// Returns the text at an offset, up to the start of the next token.
    private func token(in text: LocatedText, at offset: Int) -> String {
        let scalars = Array(text.text.unicodeScalars)
        let end = JQScanner.breaks(in: scalars).filter { $0 > offset }.min() ?? scalars.count
        guard offset < end else { return "" }
        let token = String(String.UnicodeScalarView(scalars[offset..<end].prefix { !$0.properties.isWhitespace }))
        return token.count > 40 ? "\(token.prefix(40))…" : token
    }
}

extension String {
    fileprivate func firstMatchText(after prefix: String, before suffix: String) -> String? {
        guard hasPrefix(prefix), let end = firstRange(of: suffix) else { return nil }
        return String(self[..<end.lowerBound].dropFirst(prefix.count))
    }
}
