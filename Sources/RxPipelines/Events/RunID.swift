import FoundationEssentials
import RxEngine

/// Makes a unique id for a run of a source from its start time.
enum RunID {
    static func make(on scheduler: any SchedulerType) -> String {
        String(UInt64(max(0, scheduler.now.timeIntervalSince1970 * 1_000_000)), radix: 36)
    }
}

/// Numbers the events that an endless inner source makes of one outer event. The numbers of each run are unique.
final class InnerEventNumbers: Sendable {
    private let run: String
    private let sequence = SequenceCounter()

    init(on scheduler: any SchedulerType) {
        run = RunID.make(on: scheduler)
    }

    func next(of event: PipelineEvent) -> PipelineEvent {
        event.part("\(run)-\(sequence.next())")
    }
}
