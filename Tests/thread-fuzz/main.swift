// Runs random programs and stress tests on real threads: thread-fuzz [--seconds N | --programs N] [--seed S] [--repeat
// N] [--only-programs | --stress NAME] [--no-shrink] [--verbose].
import Dispatch
import Glibc
import ThreadFuzzing

let usage = """
    usage: thread-fuzz [--seconds N | --programs N] [--seed S] [--repeat N] [--only-programs | --stress NAME]
                       [--no-shrink] [--verbose]
    """

/// Ends the program with a message about its arguments.
func refuse(_ message: String) -> Never {
    log("thread-fuzz: \(message)\n\(usage)")
    exit(2)
}

/// Called by the thread sanitizer's runtime for each report.
@_cdecl("__tsan_on_report")
public func sanitizerHasReported(_ report: UnsafeRawPointer?) {
    Sanitizer.note()
}

/// Reads the arguments.
func readOptions() -> Fuzzer.Options {
    var options = Fuzzer.Options()
    var arguments = CommandLine.arguments.dropFirst()
    func value(of option: String) -> String {
        guard let value = arguments.popFirst() else { refuse("\(option) takes a value") }
        return value
    }
    func number<Number: FixedWidthInteger>(of option: String) -> Number {
        let text = value(of: option)
        guard let number = Number(text) else { refuse("\(option) takes a number, not '\(text)'") }
        return number
    }
    while let argument = arguments.popFirst() {
        switch argument {
        case "--seconds": options.seconds = number(of: argument)
        case "--programs": options.programs = number(of: argument)
        case "--seed": options.seed = number(of: argument)
        case "--repeat": options.repetitions = number(of: argument)
        case "--only-programs": options.choice = .program
        case "--stress": options.choice = .stressTest(value(of: argument))
        case "--no-shrink": options.shrinks = false
        case "--verbose": options.isVerbose = true
        case "--help":
            log(usage)
            exit(0)
        default: refuse("unknown option '\(argument)'")
        }
    }
    if options.seconds == nil, options.programs == nil { options.seconds = 60 }
    return options
}

// The main queue delivers to drivers and signals, so the cases run on another thread.
let fuzzer = Fuzzer(readOptions())
DispatchQueue(label: "fuzz.control").async { exit(fuzzer.run() ? 0 : 1) }
dispatchMain()
