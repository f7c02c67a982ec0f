import Glibc
import RxControl
import RxDiagnostics
import RxPipelines

extension Record {
    /// The record as text for a terminal: the time, the kind, the message, and its pipeline and cause.
    ///
    /// The message can neither control the terminal nor forge another record: control characters are replaced, and all
    /// lines except for the first are indented.
    func line(at time: time_t) -> String {
        var seconds = time
        var local = tm()
        localtime_r(&seconds, &local)
        let clock = [local.tm_hour, local.tm_min, local.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let kind = self.kind.rawValue.padded(to: 9)
        let origin = [self[.pipeline], self[.cause]].compactMap(\.self).joined(separator: " < ")
        let head = "\(clock.joined(separator: ":")) \(kind) "
        return head + "\(message)\(origin.isEmpty ? "" : "  (\(origin))")".shown(indentedBy: head.count)
    }

    func printOnTerminal() {
        StandardStream.error.print(line(at: time(nil)))
    }
}

extension String {
    /// The text with its control characters replaced, and all lines except for the first indented.
    fileprivate func shown(indentedBy width: Int) -> String {
        var shown = UnicodeScalarView()
        for scalar in unicodeScalars {
            shown.append(scalar == "\n" ? scalar : scalar.shownOnTerminal)
            if scalar == "\n" { shown.append(contentsOf: repeatElement(" ", count: width)) }
        }
        return String(shown)
    }

    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
