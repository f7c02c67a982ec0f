// Records a second to the journal, and the processor time of one in ns: `journal COUNT [PATH]`. Fails if one is lost.

import Glibc
import RxLinux

let count = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 0 : 0
guard count > 0 else {
    print("usage: journal COUNT [PATH]")
    exit(2)
}
let path = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : JournalWriter.standardPath
let writer = JournalWriter(path: path)
let fields = [
    JournalField("MESSAGE", "api failed 3 polls in a row"), JournalField("SYSLOG_IDENTIFIER", "journal"),
    JournalField("MESSAGE_ID", "0123456789abcdef0123456789abcdef"), JournalField("RX_KIND", "event"),
    JournalField("RX_PIPELINE", "api-down"), JournalField("RX_SEQUENCE", "123456"),
]
let begin = ContinuousClock.now
for _ in 0..<count {
    writer.write(.info, fields)
    // The reader's pace is measured, not the queue's room.
    if writer.queued > 5000 { _ = writer.drain(within: .seconds(10)) }
}
guard writer.drain(within: .seconds(60)), writer.dropped.isEmpty else {
    print(
        "journal: records were lost: \(writer.dropped), \(writer.queued) wait, \(String(describing: writer.lastError))")
    exit(1)
}
let seconds = (ContinuousClock.now - begin) / .seconds(1)
var processor = timespec()
clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor)
print(Int(Double(count) / seconds), (processor.tv_sec * 1_000_000_000 + processor.tv_nsec) / count)
