internal import CJQ
import RxDiagnostics
import Synchronization

// Unchecked: the thread that has taken the state uses `state`; the watch uses it only for an evaluation that it has
// noticed, which cannot end while the watch holds its lock.
/// The ownership of a jq state, and the flags through which the watch follows and stops its evaluation.
///
/// Taking a state is one atomic exchange, and so is returning it. Only an evaluation that the watch has noticed ends
/// under the watch's lock, so the watch may use the state while it holds that lock. Two exchanges of `word` compete:
///
/// | evaluating thread, `end()` | watch, `notice()` under its lock |
/// |---|---|
/// | running → free | running → running and noticed |
///
/// Exactly one of them succeeds. If `end()` does, the watch leaves the state alone. If `notice()` does, `end()` returns
/// false, and the thread ends the evaluation in ``JQEvaluationWatch/end(_:)``, which waits for the watch's lock.
final class JQRunControl: @unchecked Sendable {
    /// The number of times that the state was taken, shifted by four bits, and four flags: the state is taken, jq is
    /// running, the watch has noticed the evaluation, and the program is ending itself.
    let word = Atomic<UInt64>(0)
    private static let isTaken: UInt64 = 1
    static let isRunning: UInt64 = 2
    static let isNoticed: UInt64 = 4
    static let isEnding: UInt64 = 8
    private static let bits: UInt64 = 15

    let watch: JQEvaluationWatch?
    private let state: OpaquePointer?
    /// The program that is evaluated. It is not retained, since it outlives its evaluation.
    private let program = Atomic<Unmanaged<JQProgram>?>(nil)

    init(_ state: OpaquePointer?, _ watch: JQEvaluationWatch?) {
        self.state = state
        self.watch = watch
    }

    /// The location of the evaluated program. Only the watch reads it, under its lock, for a noticed evaluation.
    var locationCell: SourceLocationCell? { program.load(ordering: .relaxed)?.takeUnretainedValue().locationCell }

    static func isFree(_ word: UInt64) -> Bool { word & bits == 0 }

    /// Takes the state for one run; returns false if it is taken already.
    func take() -> Bool {
        let old = word.load(ordering: .relaxed)
        guard Self.isFree(old) else { return false }
        // All four accesses are sequentially consistent, so at least one of the two reads sees the other's write:
        //
        // | this thread               | watch, `schedule(after:)`        |
        // |---------------------------|----------------------------------|
        // | word = taken              | isAwake = false                  |
        // | reads isAwake in `wake()` | reads every word in `isAnyTaken` |
        //
        // Either this thread wakes the watch, or the watch sees this run and stays awake.
        let (isTaken, _) = word.compareExchange(
            expected: old, desired: old + Self.bits + 1 | Self.isTaken, ordering: .sequentiallyConsistent)
        if isTaken { watch?.wake() }
        return isTaken
    }

    /// Marks jq as running, after `jq_start`. From now on the watch may stop the evaluation.
    func begin(_ program: JQProgram?) {
        self.program.store(program.map { .passUnretained($0) }, ordering: .relaxed)
        word.store(word.load(ordering: .relaxed) | Self.isRunning, ordering: .releasing)
    }

    /// Ends the evaluation and returns the state; false if the watch has noticed it. Then call ``JQEvaluationWatch/end(_:)``.
    func end() -> Bool {
        let running = word.load(ordering: .relaxed) & ~Self.isNoticed
        return word.compareExchange(
            expected: running, desired: running & ~Self.bits, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// Ends an evaluation that the watch has noticed, under the watch's lock. The state stays taken.
    func endNoticed() {
        word.store(word.load(ordering: .relaxed) & ~Self.bits | Self.isTaken, ordering: .releasing)
    }

    /// Returns the state.
    func free() {
        word.store(word.load(ordering: .relaxed) & ~Self.bits, ordering: .releasing)
    }

    /// Stops jq before its next instruction. Called only under the watch's lock, for an evaluation that it has noticed.
    ///
    /// `jq_halt` is meant for builtins, which run on the evaluating thread; calling it from the watch's thread is safe
    /// nevertheless. It only sets three members of the state. The interpreter reads the first before every instruction.
    /// The others are read by `jq_start` and by the code that asks for the message of `halt_error`: both run after the
    /// evaluation has ended, and it cannot end before this method returns. `jq_halt` must not be called twice for one
    /// evaluation, so the prelude's `halt` calls `preventStop` first.
    func stop() {
        if jq_halted(state) == 0 { jq_halt(state, jv_null(), jv_null()) }
    }

    /// Stops jq before its next instruction; called by the evaluating thread itself.
    func halt() {
        exclusively { stop() }
    }

    /// Prevents the watch from stopping this evaluation.
    func preventStop() {
        exclusively { word.store(word.load(ordering: .relaxed) | Self.isEnding, ordering: .releasing) }
    }

    private func exclusively(_ body: () -> Void) {
        if let watch { watch.exclusively(body) } else { body() }
    }
}
