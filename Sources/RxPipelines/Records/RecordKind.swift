/// The kinds of records that the daemon writes. Each has a message id with an entry in the catalog.
package enum RecordKind: String, Sendable, CaseIterable {
    case lifecycle, event, error, resources, source, sink, reload

    /// The id that `journalctl -x` looks up in the catalog.
    package var messageID: String {
        switch self {
        case .lifecycle: "a9f9ceec45724414afdfd94a35495d85"
        case .event: "943618d354e64f088f6f8d2ba3c5db19"
        case .error: "85ea5ab3f80b46b9973969c1813a4222"
        case .resources: "48b916c3df4e47678cab100abf1ae2d6"
        case .source: "636c7778bce444fda7654689e73717b7"
        case .sink: "3d44fa6b2f0b4b41a7ff1cbad6831331"
        case .reload: "591e794f5e2e4170b946a13d9b532d87"
        }
    }
}
