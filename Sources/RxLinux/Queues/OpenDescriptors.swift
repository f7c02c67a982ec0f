import Glibc

/// The open descriptors of this process.
enum OpenDescriptors {
    /// The numbers of the open descriptors, without the one that reads the list. Empty if it cannot be read.
    static var numbers: [Int32] {
        guard let stream = opendir("/proc/self/fd") else { return [] }
        defer { closedir(stream) }
        var numbers: [Int32] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let number = Int32(name), number != dirfd(stream) { numbers.append(number) }
        }
        return numbers
    }
}
