import RxDiagnostics
import RxJSON
import RxYAML

extension FieldType {
    /// A list of values of one type.
    ///
    /// Invalid values are reported and left out, so that the errors in the other ones are reported, too.
    ///
    /// - Parameters:
    ///   - element: the type of the elements.
    ///   - example: returns a list for the message about a single value, as in `[df, /]`.
    package static func list<Element>(
        of element: FieldType<Element>, example: ((YAMLNode) -> String)? = nil
    ) -> Self where Value == [Element] {
        let expected = "a list, each element \(element.expected)"
        return FieldType(expected, schema: ["type": "array", "items": element.schema]) { node, context in
            guard let nodes = node.sequence else {
                return context.report.wrong(node, expected, advice: advice(for: node, example))
            }
            return nodes.compactMap { element.read($0, context) }
        }
    }

    /// The advice for a value that is not a list.
    private static func advice(for node: YAMLNode, _ example: ((YAMLNode) -> String)?) -> String {
        if node.isNull { return "" }
        if node.mapping != nil { return "; begin each element with '- '" }
        return example.map { "; write a list such as \($0(node))" } ?? "; put it between '[' and ']'"
    }

    /// A list of values of one type, or a single value that stands for a list of one.
    ///
    /// - Parameters:
    ///   - element: the type of the elements.
    ///   - mayBeNone: whether the list may be empty.
    package static func oneOrMore<Element>(
        of element: FieldType<Element>, mayBeNone: Bool = false
    ) -> Self where Value == [Element] {
        let list = FieldType<[Element]>.list(of: element)
        let expected = "\(element.expected), or a list of them"
        func schema() -> JSON {
            var listed = list.schema
            if !mayBeNone { listed["minItems"] = 1 }
            return ["anyOf": [element.schema, listed]]
        }
        return FieldType(expected, schema: schema()) { node, context in
            guard let nodes = node.sequence else { return element.read(node, context).map { [$0] } }
            if nodes.isEmpty, !mayBeNone { return context.report.wrong(node, expected) }
            return list.read(node, context)
        }
    }

    /// A list of a program and its arguments, of which the program is noted as a path, unless it is a template. The
    /// caller checks that there is a program.
    static func commandLine<Element>(of element: FieldType<Element>) -> Self where Value == [Element] {
        let list = FieldType<[Element]>.list(of: element, example: { $0.shellCommand ?? "[df, --output=pcent, /]" })
        func schema() -> JSON {
            var schema = list.schema
            schema["minItems"] = 1
            schema["prefixItems"] = [["minLength": 1]]
            return schema
        }
        return FieldType(list.expected, schema: schema()) { node, context in
            if let program = node.sequence?.first, let command = program.commandWithArguments {
                let advice = command.needsShell ? "run it with a shell" : "write its arguments apart"
                context.report.add(
                    "'\(command.words.joined(separator: " "))' is not a program: \(advice), as in \(command.list)",
                    at: program.location)
            }
            if let program = node.sequence?.first, let path = program.scalar?.text.text {
                let used = ConfiguredPath(path, .run, isRequired: true, at: program.location)
                if !used.isTemplate || used.commandLine != nil { context.note(used) }
            }
            return list.reader(node, context)
        }
    }

    /// A mapping from any names to values of one type, in the order of the file.
    ///
    /// Null is an empty mapping. Invalid values are reported and left out.
    ///
    /// - Parameters:
    ///   - element: the type of the values.
    ///   - names: the pattern of names, for the schema only: the caller checks the names.
    package static func map<Element>(of element: FieldType<Element>, names: String? = nil) -> Self
    where Value == [(name: String, location: SourceLocation, value: Element)] {
        let expected = "a mapping, each value \(element.expected)"
        func schema() -> JSON {
            var schema: JSON = ["type": ["object", "null"], "additionalProperties": element.schema]
            if let names { schema["propertyNames"] = ["pattern": .string(names)] }
            return schema
        }
        return FieldType(expected, schema: schema()) { node, context in
            if node.isNull { return [] }
            guard let pairs = node.mapping else { return context.report.wrong(node, expected) }
            return pairs.compactMap { pair in
                element.read(pair.value, context).map { (name: pair.key, location: pair.keyLocation, value: $0) }
            }
        }
    }

    /// Reads one of the cases of an enumeration.
    package static func choice() -> Self where Value: RawRepresentable<String> & CaseIterable {
        choice(Value.allCases.map { ($0.rawValue, $0) })
    }

    /// Reads one of several words, each with its value.
    package static func choice(_ choices: [(name: String, value: Value)]) -> Self {
        let names = choices.map(\.name)
        let expected = names.count > 1 ? "one of \(names.joined(separator: ", "))" : names.joined()
        let schema = Schema.orReference(["enum": .array(names.map(JSON.string))])
        return FieldType(expected, schema: schema) { node, context in
            guard let scalar = node.scalar else { return context.report.wrong(node, expected) }
            if let choice = choices.first(where: { $0.name == scalar.text.text }) { return choice.value }
            let hint = scalar.isSecret ? "" : NearestName.hint(for: scalar.text.text, in: names)
            context.report.add("expected \(expected), found \(node.described)\(hint)", at: node.location)
            return nil
        }
    }
}

extension YAMLNode {
    /// The command line that runs this text in a shell, for advice; `nil` if it is not text or too long for a message.
    /// Also `nil` for a template: a shell would run what its values contain.
    var shellCommand: String? {
        guard !isNull, let text = textInAdvice, !text.contains("{{") else { return nil }
        return "[sh, -c, \(JSON.string(text))]"
    }

    /// The text, if a message can quote it as a whole: `nil` if it is not text, too long or secret.
    private var textInAdvice: String? {
        guard let scalar, !scalar.isSecret else { return nil }
        let text = scalar.text.text
        return text.shortened == text ? text : nil
    }

    /// A command line in place of this value, for advice: the list of a program and its arguments that this is, or what runs
    /// this text in a shell, or any.
    var commandLineExample: String {
        let words = (sequence ?? []).compactMap { $0.textInAdvice?.flowScalar }
        guard !words.isEmpty, words.count == sequence?.count else { return shellCommand ?? "[df, /]" }
        return "[\(words.joined(separator: ", "))]"
    }

    /// This text as the URL in advice; `nil` if it is none, or not to be shown.
    var urlExample: String? {
        guard let text = textInAdvice, text.hasPrefix("https://") || text.hasPrefix("http://") else { return nil }
        return text.flowScalar
    }

    /// A program with its arguments in one text, such as `df -h`; `nil` if the text can be the name or path of a program.
    fileprivate var commandWithArguments: CommandLineText? {
        guard let text = textInAdvice, let command = CommandLineText(text), let program = command.words.first
        else { return nil }
        return program.contains("/") || program.contains("{{") ? nil : command
    }
}
