import RxEngine

/// A sequence that passes elements to many subscribers, and how they are emitted into it.
enum MulticastKind: CaseIterable, Sendable {
    case publish
    case behavior
    case replay
    case share
    case shareReplay
    case shareReplayForever

    static let subjects: [Self] = [.publish, .behavior, .replay]

    /// - Returns: the sequence, and a closure that emits into it.
    func make() -> (Observable<Int>, @Sendable (Int) -> Void) {
        switch self {
        case .publish:
            let subject = PublishSubject<Int>()
            return (subject, { subject.onNext($0) })
        case .behavior:
            let subject = BehaviorSubject(value: 0)
            return (subject, { subject.onNext($0) })
        case .replay:
            let subject = ReplaySubject<Int>.create(bufferSize: 1)
            return (subject, { subject.onNext($0) })
        case .share:
            let subject = PublishSubject<Int>()
            return (subject.share(), { subject.onNext($0) })
        case .shareReplay:
            let subject = PublishSubject<Int>()
            return (subject.share(replay: 1), { subject.onNext($0) })
        case .shareReplayForever:
            let subject = PublishSubject<Int>()
            return (subject.share(replay: 1, scope: .forever), { subject.onNext($0) })
        }
    }
}
