import Foundation
import RxEngine

/// Gives Foundation's objects the namespace `rx`.
extension NSObject: ReactiveCompatible {}

/// Gives the notification center the namespace `rx`; on Linux it is not an `NSObject`.
extension NotificationCenter: ReactiveCompatible {}
