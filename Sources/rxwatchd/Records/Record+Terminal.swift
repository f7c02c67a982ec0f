import Glibc
import RxPipelines

extension Record {
    /// The record as a line for people: the time, the kind, the message, and where it comes from.
    func line(at time: time_t) -> String {
        var seconds = time
        var local = tm()
        localtime_r(&seconds, &local)
        let clock = [local.tm_hour, local.tm_min, local.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let kind = self.kind.rawValue.padded(to: 9)
        let origin = [self[.pipeline], self[.cause]].compactMap(\.self).joined(separator: " < ")
        return "\(clock.joined(separator: ":")) \(kind) \(message)\(origin.isEmpty ? "" : "  (\(origin))")"
    }

    func printOnTerminal() {
        StandardStream.error.print(line(at: time(nil)))
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
