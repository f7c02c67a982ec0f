import RxDiagnostics

extension Report {
    /// Reports a value of the wrong type, and is nil for the reader to return.
    package func wrong<Value>(_ node: YAMLNode, _ expected: String) -> Value? {
        add("expected \(expected), found \(node.described)", at: node.location)
        return nil
    }

    /// Reports a credential where what is read would be shown, and is nil for the reader to return.
    package func refuseCredential<Value>(_ node: YAMLNode) -> Value? {
        add("a credential cannot stand here, since what comes of it is shown", at: node.location)
        return nil
    }
}
