import Synchronization

/// A counter of requested work: the call that raises it from zero does the work until it is zero again.
///
/// So one call at a time does the work, no thread waits, each request is done once, and what the work itself requests is
/// done in the same loop instead of deeper on the stack. The work sees what was written before it was requested:
///
/// | one thread                         | another thread                       | count       |
/// |------------------------------------|--------------------------------------|-------------|
/// | requests                           |                                      | 0 to 1      |
/// | does the work                      | writes                               | 1           |
/// |                                    | requests (release)                   | 1 to 2      |
/// | has done the work (acquire)        | returns, as the count was not 0      | 2 to 1      |
/// | does the work, reads what it wrote |                                      | 1           |
/// | has done the work (release)        |                                      | 1 to 0      |
///
/// A request after that raises the count from zero again (acquire), so its thread does the work and sees what the work
/// before has written.
struct WorkCount: ~Copyable {
    /// The number of requests that are not done, including the one that is being done.
    private let requests = Atomic(0)

    /// Requests `work`. Does it, and whatever is requested meanwhile, unless another call is doing it already: on
    /// another thread or further up the stack.
    ///
    /// - Returns: whether this call has done the work. Otherwise the other call does it.
    @inline(__always) @discardableResult
    func run(_ work: () -> Void) -> Bool {
        guard requests.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return false }
        repeat { work() } while requests.subtract(1, ordering: .acquiringAndReleasing).newValue != 0
        return true
    }

    /// Does what is requested while `condition` holds. Called inside the work, whose own request stays counted.
    @inline(__always)
    func runNested(while condition: @autoclosure () -> Bool, _ work: () -> Void) {
        while requests.load(ordering: .acquiring) > 1, condition() {
            work()
            requests.subtract(1, ordering: .acquiringAndReleasing)
        }
    }
}
