import Synchronization

/// A place where a test's closures leave what they saw.
package final class Box<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: Value) {
        mutex = Mutex(value)
    }

    package var value: Value {
        mutex.withLock { $0 }
    }

    package func update(_ body: @Sendable (inout Value) -> Void) {
        mutex.withLock { body(&$0) }
    }
}

extension Box {
    package func append<Element>(_ element: Element) where Value == [Element] {
        mutex.withLock { $0.append(element) }
    }
}

/// The error of tests.
package struct TestError: Error, Equatable, CustomStringConvertible {
    package let name: String

    package init(_ name: String = "test error") {
        self.name = name
    }

    package var description: String { name }
}
