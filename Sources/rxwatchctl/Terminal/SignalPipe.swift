import Glibc
import RxEngine
import RxSystem

/// The signals that a command with a full screen handles itself, as an observable.
///
/// A pipe that signal handlers write to: `dispatchMain` lets the main thread wait with no signal blocked, so a descriptor of
/// blocked signals would get none of them.
enum SignalPipe {
    /// The reading and the writing end; empty if there is no pipe.
    private static let ends: [Int32] = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return [] }
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return ends
    }()

    /// Emits these signals from now on, on the main queue. They no longer end the process.
    static func observe(_ signals: [Int32]) -> Observable<Int32> {
        guard let reading = ends.first else { return .never() }
        for signal in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                let before = errno
                withUnsafeBytes(of: UInt8(truncatingIfNeeded: number)) {
                    _ = write(SignalPipe.ends[1], $0.baseAddress, 1)
                }
                errno = before
            }
            sigaction(signal, &action, nil)
        }
        return Observable<DescriptorEvent>.fd(reading, on: .main).map { _ in
            var number: UInt8 = 0
            return read(reading, &number, 1) == 1 ? Int32(number) : 0
        }
    }
}
