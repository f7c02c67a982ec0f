import RxDiagnostics

extension Report {
    /// Reports a value of the wrong type and returns `nil`, which the reader returns.
    ///
    /// - Parameter advice: what to write instead, from the semicolon on.
    package func wrong<Value>(_ node: YAMLNode, _ expected: String, advice: String = "") -> Value? {
        add("expected \(expected), found \(node.described)\(advice)", at: node.location)
        return nil
    }

    /// Reports a credential in a place where it would be shown and returns `nil`, which the reader returns.
    package func refuseCredential<Value>(_ node: YAMLNode) -> Value? {
        add("a credential is not allowed here, because records show this text", at: node.location)
        return nil
    }
}
