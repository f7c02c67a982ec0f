import Glibc

/// The process's resident pages of memory.
func residentPages() -> Int {
    let file = open("/proc/self/statm", O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 200)
    let count = read(file, &bytes, bytes.count)
    let fields = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
}
