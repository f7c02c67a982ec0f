@_spi(SwiftUI) import Observation
import RxEngine

/// A registration for the changes of all properties that a closure reads.
///
/// The public function of the standard library reports a change before it is made, and only one: no value could be read
/// in time. So this uses the function with `didSet`, which is not part of the stable interface.
///
/// That function returns no handle. A property of this object is one of those that are read; to cancel, the
/// registration changes that property, and cancels the tracking that the callback receives then.
final class ObservationRegistration: Sendable {
    private let switchOff = Switch()

    /// Calls `read` at once, and then closures before and after each change of a property that it has read, on the thread
    /// that makes the change.
    ///
    /// - Parameter onChange: also called when the registration is cancelled, or was cancelled during the change.
    init(
        of read: () -> Void, beforeChange: (@Sendable () -> Void)? = nil,
        onChange: @escaping @Sendable (_ isCancelled: Bool) -> Void
    ) {
        let readAll = {
            self.switchOff.read()
            read()
        }
        let didSet = { @Sendable [switchOff] (tracking: ObservationTracking) in
            let isCancelled = switchOff.isOff
            if isCancelled { tracking.cancel() }
            onChange(isCancelled)
        }
        if let beforeChange {
            withObservationTracking(
                readAll, willSet: { [switchOff] _ in if !switchOff.isOff { beforeChange() } }, didSet: didSet)
        } else {
            withObservationTracking(readAll, didSet: didSet)
        }
    }

    /// Ends the registration, and releases its closure. Further calls do nothing.
    func cancel() {
        switchOff.turnOff()
    }

    /// An observable property that is set once.
    private final class Switch: Observation.Observable, Sendable {
        private let registrar = ObservationRegistrar()
        private let off = Locked(false)

        var isOff: Bool { off.withLock { $0 } }

        /// Reads the property.
        func read() {
            registrar.access(self, keyPath: \.isOff)
        }

        /// Sets the property, unless it is set.
        func turnOff() {
            let isFirst = off.withLock { isOff in
                defer { isOff = true }
                return !isOff
            }
            if isFirst { registrar.withMutation(of: self, keyPath: \.isOff) {} }
        }
    }
}
