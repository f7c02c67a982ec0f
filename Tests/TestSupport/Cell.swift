import RxEngine

// Unchecked: the lock guards the value.
/// A value that a test's closures share.
package final class Cell<Value: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var content: Value

    package init(_ value: Value) {
        content = value
    }

    package var value: Value {
        lock.locked { content }
    }

    package func update(_ body: @Sendable (inout Value) -> Void) {
        lock.locked { body(&content) }
    }
}

extension Cell {
    package func append<Element>(_ element: Element) where Value == [Element] {
        lock.locked { content.append(element) }
    }
}

/// An error for tests.
package struct TestError: Error, Equatable, CustomStringConvertible {
    package let name: String

    package init(_ name: String = "test error") {
        self.name = name
    }

    package var description: String { name }
}
