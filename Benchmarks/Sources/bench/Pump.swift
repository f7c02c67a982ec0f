import RxEngine

extension ObservableType where Element == Int {
    /// Three maps and three filters.
    func sixSteps() -> Observable<Int> {
        map { $0 &+ 1 }.filter { $0 != -1 }.map { $0 &* 3 }.filter { $0 != -2 }.map { $0 ^ 7 }.filter { $0 != -3 }
    }

    /// Sends `count` elements through the chain that `assemble` makes of a subject.
    @inline(__always)
    static func pump<Result>(
        _ count: Int, through assemble: (PublishSubject<Int>) -> Observable<Result>,
        to take: @escaping @Sendable (Result) -> Void
    ) {
        let subject = PublishSubject<Int>()
        let subscription = assemble(subject).subscribe(onNext: take)
        for value in 0..<count { subject.onNext(value) }
        subscription.dispose()
    }

    /// Sends `count` elements, alternately, into as many subjects as `assemble` is given.
    @inline(__always)
    static func pumpInTurn<Result>(
        _ count: Int, into sources: Int, through assemble: ([PublishSubject<Int>]) -> Observable<Result>,
        to take: @escaping @Sendable (Result) -> Void
    ) {
        let subjects = (0..<sources).map { _ in PublishSubject<Int>() }
        let subscription = assemble(subjects).subscribe(onNext: take)
        for value in 0..<count { subjects[value % sources].onNext(value) }
        subscription.dispose()
    }

    /// Sends `count` elements into the first of the two subjects that `assemble` is given, and one into the second
    /// after ten of them.
    @inline(__always)
    static func pumpWithMarks<Result>(
        _ count: Int, through assemble: (PublishSubject<Int>, PublishSubject<Int>) -> Observable<Result>,
        to take: @escaping @Sendable (Result) -> Void
    ) {
        let (subject, marks) = (PublishSubject<Int>(), PublishSubject<Int>())
        let subscription = assemble(subject, marks).subscribe(onNext: take)
        for value in 0..<count {
            subject.onNext(value)
            if value % 10 == 9 { marks.onNext(value) }
        }
        subscription.dispose()
    }
}
