import Glibc
import RxControl
import RxDiagnostics
import RxPipelines

extension Record {
    /// The record as text for a terminal: the time, the priority unless that is info, the kind, the message, and its
    /// pipeline and cause.
    ///
    /// The message can neither control the terminal nor forge another record: control characters are replaced, and all
    /// lines except for the first are indented.
    ///
    /// - Parameters:
    ///   - time: the time, in seconds since 1970.
    ///   - hasColor: whether the priority decides the color.
    func line(at time: time_t, hasColor: Bool = false) -> String {
        let kind = self.kind.rawValue.padded(to: 9)
        let priority = (self.priority == .info ? "" : self.priority.rawValue).padded(to: 7)
        let origin = [self[.pipeline], self[.cause]].compactMap(\.self).joined(separator: " < ")
        let head = "\(LocalTime(time).clock) \(priority) \(kind) "
        let line = head + "\(message)\(origin.isEmpty ? "" : "  (\(origin))")".shownOnTerminal(indentedBy: head.count)
        guard hasColor, let color else { return line }
        return "\u{1B}[\(color)m\(line)\u{1B}[0m"
    }

    /// The parameters of the escape sequence for the color of the priority; `nil` for the terminal's own color.
    private var color: String? {
        switch priority {
        case .emerg, .alert, .crit, .err: "1;31"
        case .warning: "33"
        case .notice: "1"
        case .info: nil
        case .debug: "2"
        }
    }

    /// Prints the record on standard error.
    func printOnTerminal(hasColor: Bool = false) {
        StandardStream.error.print(line(at: time(nil), hasColor: hasColor))
    }
}
