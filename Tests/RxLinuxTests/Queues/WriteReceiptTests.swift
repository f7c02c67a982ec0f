import TestSupport
import Testing

@testable import RxLinux

struct WriteReceiptTests {
    /// Operations on a receipt, in order, and what it reports.
    @Test(
        arguments: [
            ([], ["cancelled"]),
            (["begin", "end", "end"], ["may", "written"]),
            (["end", "begin"], ["written", "not"]),
            (["cancel", "begin", "end"], ["cancelled", "not"]),
            (["begin", "cancel", "end"], ["may", "written"]),
            (["begin", "putBack", "cancel"], ["may", "may", "cancelled"]),
            (["begin", "putBack", "begin", "end"], ["may", "may", "may", "written"]),
            (["begin", "cancel", "putBack"], ["may", "not", "cancelled"]),
        ] as [([String], [String])])
    func receiptReportsOnce(calls: [String], reports: [String]) {
        let log = Cell<[String]>([])
        var receipt: WriteReceipt? = WriteReceipt { log.append("\($0)") }
        for call in calls {
            switch call {
            case "begin": log.append(receipt?.begin() == true ? "may" : "not")
            case "putBack": log.append(receipt?.putBack() == true ? "may" : "not")
            case "cancel": receipt?.cancel()
            default: receipt?.end(.written)
            }
        }
        receipt = nil
        #expect(log.value == reports)
    }
}
