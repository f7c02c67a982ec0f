import RxEngine

// Unchecked: the lock guards the value.
/// A value that a test's closures share.
package final class Box<Value: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var inside: Value

    package init(_ value: Value) {
        inside = value
    }

    package var value: Value {
        lock.locked { inside }
    }

    package func update(_ body: @Sendable (inout Value) -> Void) {
        lock.locked { body(&inside) }
    }
}

extension Box {
    package func append<Element>(_ element: Element) where Value == [Element] {
        lock.locked { inside.append(element) }
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
