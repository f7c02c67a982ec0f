// A delegate as sequences. On Apple's platforms a proxy intercepts its messages; here an adapter implements the protocol.

import RxEngine

protocol DownloadDelegate: AnyObject {
    func downloadDidReceive(_ bytes: Int)
    func downloadShouldContinue(after bytes: Int) -> Bool
    func downloadDidFinish()
}

final class Download {
    weak var delegate: (any DownloadDelegate)?

    func run() {
        var total = 0
        for bytes in [100, 250, 50] {
            total += bytes
            delegate?.downloadDidReceive(bytes)
            guard delegate?.downloadShouldContinue(after: total) ?? true else { break }
        }
        delegate?.downloadDidFinish()
    }
}

/// Emits the arguments of each method, and answers what the protocol asks for.
final class DownloadEvents: DownloadDelegate {
    let received = PublishRelay<Int>()
    let finished = PublishRelay<Void>()
    let limit = BehaviorRelay(value: 300)

    func downloadDidReceive(_ bytes: Int) { received.accept(bytes) }
    func downloadShouldContinue(after bytes: Int) -> Bool { bytes < limit.value }
    func downloadDidFinish() { finished.accept(()) }
}

let download = Download()
// The download does not retain its delegate.
let events = DownloadEvents()
download.delegate = events

let bag = DisposeBag()
events.received.scan(0) { $0 + $1 }.subscribe(onNext: { print("received \($0) bytes") }).disposed(by: bag)
events.finished.subscribe(onNext: { print("finished") }).disposed(by: bag)
download.run()
events.limit.accept(1000)
print("without a limit")
download.run()

// Prints:
// received 100 bytes
// received 350 bytes
// finished
// without a limit
// received 450 bytes
// received 700 bytes
// received 750 bytes
// finished
