import RxEngine

/// What both sides of an ``OperatorLaw`` are made of, the same for each side.
public struct LawInput: Sendable {
    /// The scheduler of this run, for operators that take one.
    public let scheduler: TestScheduler
    /// The random sources, whose elements are from 1 to 9.
    public let sources: [Observable<Int>]
    /// The random numbers, from 0 to 4.
    public let numbers: [Int]
}
