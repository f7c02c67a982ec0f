import Synchronization

/// A place where a test's closures leave what they saw.
public final class Box<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    public init(_ value: Value) {
        mutex = Mutex(value)
    }

    public var value: Value {
        mutex.withLock { $0 }
    }

    public func update(_ body: @Sendable (inout Value) -> Void) {
        mutex.withLock { body(&$0) }
    }
}

extension Box {
    public func append<Element>(_ element: Element) where Value == [Element] {
        mutex.withLock { $0.append(element) }
    }
}

/// The error of tests.
public struct TestError: Error, Equatable, CustomStringConvertible {
    public let name: String

    public init(_ name: String = "test error") {
        self.name = name
    }

    public var description: String { name }
}
