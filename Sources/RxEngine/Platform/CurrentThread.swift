#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The calling thread.
package enum CurrentThread {
    /// A number that no other live thread of the process has.
    @inline(__always)
    package static var number: UInt {
        #if canImport(Glibc)
        UInt(pthread_self())
        #else
        UInt(bitPattern: pthread_self())
        #endif
    }
}
