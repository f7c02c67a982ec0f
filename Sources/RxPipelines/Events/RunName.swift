import FoundationEssentials
import RxEngine

/// What a run of a source is called, from when it began: no other has the same.
enum RunName {
    static func make(on scheduler: any SchedulerType) -> String {
        String(UInt64(max(0, scheduler.now.timeIntervalSince1970 * 1_000_000)), radix: 36)
    }
}

/// Numbers what a source without an end makes of one event: another run of it makes others.
final class Parts: Sendable {
    private let run: String
    private let sequence = Sequencer()

    init(on scheduler: any SchedulerType) {
        run = RunName.make(on: scheduler)
    }

    func next(of event: PipelineEvent) -> PipelineEvent {
        event.part("\(run)-\(sequence.next())")
    }
}
