/// Storage for one element or none.
///
/// It manages its memory itself: in unspecialized code, an optional of a generic type would cost more than the element.
struct ElementBox<Element>: ~Copyable {
    private let storage = UnsafeMutablePointer<Element>.allocate(capacity: 1)
    private(set) var isEmpty = true

    init() {}

    deinit {
        if !isEmpty { storage.deinitialize(count: 1) }
        storage.deallocate()
    }

    /// The address of the element, which is initialized only if there is one.
    var address: UnsafePointer<Element> { UnsafePointer(storage) }

    /// The element. There must be one.
    @inline(__always)
    var element: Element { storage.pointee }

    /// Stores `element` and releases the previous one.
    @inline(__always)
    mutating func store(_ element: Element) {
        if !isEmpty { return storage.pointee = element }
        storage.initialize(to: element)
        isEmpty = false
    }

    /// Stores `element` and returns the previous one in its place, so that a caller with a lock releases it after
    /// unlocking.
    @inline(__always)
    mutating func exchange(_ element: inout Element) {
        if !isEmpty { return storage.exchange(with: &element) }
        storage.initialize(to: element)
        isEmpty = false
    }

    /// Removes the element and returns it. There must be one.
    @inline(__always)
    mutating func take() -> Element {
        precondition(!isEmpty, "the element box is empty")
        isEmpty = true
        return storage.move()
    }

    /// Removes the element and releases it.
    mutating func clear() {
        guard !isEmpty else { return }
        isEmpty = true
        storage.deinitialize(count: 1)
    }
}

extension UnsafeMutablePointer {
    /// Exchanges the value at this address and `other`. In unspecialized code, `swap` takes twice the instructions.
    @inline(__always)
    func exchange(with other: inout Pointee) {
        let value = move()
        initialize(to: other)
        other = value
    }
}
