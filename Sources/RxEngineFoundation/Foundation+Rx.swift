import Foundation
import RxEngine

/// Foundation's objects have the namespace `rx`.
extension NSObject: ReactiveCompatible {}

/// On Linux it is no `NSObject`.
extension NotificationCenter: ReactiveCompatible {}
