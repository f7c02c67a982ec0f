import Glibc
import RxControl

/// The program `dot` of Graphviz, which draws graphs.
enum Graphviz {
    /// The shell's status for a program that does not exist.
    private static let notFound: Int32 = 127

    /// Draws a graph as SVG on standard output; an error is printed on standard error.
    ///
    /// - Parameter text: the graph in the language of Graphviz.
    /// - Returns: the exit code.
    static func printSVG(_ text: String) -> Int32 {
        // The text is read also if nobody draws it: a writer without a reader is killed.
        let command = "command -v dot >/dev/null || { cat >/dev/null; exit \(notFound); }; exec dot -Tsvg"
        // A `dot` that ends early has a status that says why.
        signal(SIGPIPE, SIG_IGN)
        guard let pipe = popen(command, "w") else { return fail("starting dot: \(String(cString: strerror(errno)))") }
        fputs(text, pipe)
        let status = pclose(pipe)
        // The exit code is in the second byte, the signal in the first.
        switch (signal: status & 0x7f, code: (status >> 8) & 0xff) {
        case (0, 0): return ExitCode.success
        case (0, notFound):
            return fail("--svg needs Graphviz: install the package graphviz, or draw the text of --dot elsewhere")
        case (0, let code): return fail("dot has failed with exit code \(code)")
        case (let signal, _): return fail("dot was ended by signal \(signal)")
        }
    }

    private static func fail(_ message: String) -> Int32 {
        StandardStream.error.print("rxwatchctl: \(message)", in: .red)
        return ExitCode.failure
    }
}
