internal import CJQ
import RxDiagnostics
import Synchronization

// Unchecked: `state` is reached by whoever has it, and by the watch once it holds the run.
/// Who has a state, and what he does with it, for the watch to see.
///
/// To take a state is one exchange, and to give it back is another. Only an evaluation that the watch has noticed ends
/// under the watch's lock: whoever holds that lock knows that it goes on meanwhile.
final class JQMark: @unchecked Sendable {
    /// How often the state was taken, shifted by four bits: whether it is taken, whether jq runs, one that the watch
    /// sets when it notices it, and whether the program ends itself.
    let word = Atomic<UInt64>(0)
    private static let isTaken: UInt64 = 1
    static let isRunning: UInt64 = 2
    static let isNoticed: UInt64 = 4
    static let isEnding: UInt64 = 8
    private static let bits: UInt64 = 15

    let watch: JQWatch?
    private let state: OpaquePointer?
    /// The program that is evaluated; it outlives its evaluation.
    private let program = Atomic<Unmanaged<JQProgram>?>(nil)

    init(_ state: OpaquePointer?, _ watch: JQWatch?) {
        self.state = state
        self.watch = watch
    }

    /// Where the program stands that is evaluated. Only for the watch, and only while it holds the run.
    var place: SourceLocationCell? { program.load(ordering: .relaxed)?.takeUnretainedValue().place }

    static func isFree(_ word: UInt64) -> Bool { word & bits == 0 }

    /// Takes the state; false when somebody has it.
    func take() -> Bool {
        let old = word.load(ordering: .relaxed)
        guard Self.isFree(old) else { return false }
        // Ordered before the look at whether the watch is awake: one of the two sees the other.
        let (isTaken, _) = word.compareExchange(
            expected: old, desired: old + Self.bits + 1 | Self.isTaken, ordering: .sequentiallyConsistent)
        if isTaken { watch?.wake() }
        return isTaken
    }

    /// jq has been started, and is about to evaluate something. From now on the watch may stop it.
    func begin(_ program: JQProgram?) {
        self.program.store(program.map { .passUnretained($0) }, ordering: .relaxed)
        word.store(word.load(ordering: .relaxed) | Self.isRunning, ordering: .releasing)
    }

    /// It has, and the state is free; false when the watch has noticed it, which then is to be asked about it.
    func end() -> Bool {
        let running = word.load(ordering: .relaxed) & ~Self.isNoticed
        return word.compareExchange(
            expected: running, desired: running & ~Self.bits, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// The same for one that the watch has noticed, under its lock. The state stays taken.
    func endNoticed() {
        word.store(word.load(ordering: .relaxed) & ~Self.bits | Self.isTaken, ordering: .releasing)
    }

    /// Gives the state back.
    func free() {
        word.store(word.load(ordering: .relaxed) & ~Self.bits, ordering: .releasing)
    }

    /// Has jq stop before its next instruction. Only under the watch's lock, in an evaluation that it holds.
    ///
    /// `jq_halt` is meant to be called by a builtin, on the evaluating thread. All that it does is to set three members
    /// of the state, of which the interpreter looks at the first before every instruction, and at the others only when
    /// asked: by `jq_start`, and by whoever wants to know about `halt_error`. Both come after the evaluation's end, and
    /// that after this. It must not be called twice, which is why `halt` has `exempt` called first.
    func stop() {
        if jq_halted(state) == 0 { jq_halt(state, jv_null(), jv_null()) }
    }

    /// The same by the evaluating thread itself.
    func halt() {
        exclusively { stop() }
    }

    /// Keeps the watch from stopping this evaluation.
    func exempt() {
        exclusively { word.store(word.load(ordering: .relaxed) | Self.isEnding, ordering: .releasing) }
    }

    private func exclusively(_ body: () -> Void) {
        if let watch { watch.exclusively(body) } else { body() }
    }
}
