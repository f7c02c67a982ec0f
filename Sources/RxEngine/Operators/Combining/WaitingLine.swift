/// Objects that wait for their turn. The line does not know their type, its owner does: in code for any type, an array
/// of that type would cost a look-up at every access.
struct WaitingLine {
    /// What has been taken is `nil`, so that nothing is let go of in here.
    private var objects: [AnyObject?] = []
    private var head = 0

    /// Puts an object at the end of the line.
    mutating func append(_ object: AnyObject) {
        objects.append(object)
    }

    /// - Returns: the first in the line, which leaves it.
    mutating func next() -> AnyObject? {
        guard head < objects.count else { return nil }
        let object = objects[head].take()
        head += 1
        // In bulk, so that the cost of an object stays constant and the memory is bounded by what waits.
        if head == objects.count || head >= 64 && head * 2 >= objects.count {
            objects.removeFirst(head)
            head = 0
        }
        return object
    }
}
