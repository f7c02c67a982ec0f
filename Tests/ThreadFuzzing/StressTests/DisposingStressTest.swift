import RxEngine
import SeededRandom
import Synchronization

extension StressTest {
    /// Several threads fill and dispose the same composite, serial and counted disposables and bags: every member is
    /// disposed once.
    static let disposing = StressTest("dispose") { random, report in
        let (threads, seed) = (random.within(2...5), random.next())
        let pause = random.below(2000)
        report.describe("\(threads) threads, pauses up to \(pause)")
        for round in 0..<40 {
            let members = Locked<[CountedResource]>([])
            let make: @Sendable () -> CountedResource = {
                let member = CountedResource()
                members.withLock { $0.append(member) }
                return member
            }
            let composite = CompositeDisposable()
            let serial = SerialDisposable()
            let counted = RefCountDisposable(disposable: make())
            let bag = Locked<DisposeBag?>(DisposeBag())
            inParallel(threads) { thread in
                var random = SplitMix64(seed: seed &+ UInt64(thread * 1000 + round))
                for _ in 0..<random.within(1...12) {
                    if pause > 0 { spin(random.below(pause)) }
                    switch random.below(9) {
                    case 0, 1:
                        let key = composite.insert(make())
                        if let key, random.chance(40) { composite.remove(for: key) }
                    case 2: serial.disposable = make()
                    case 3:
                        let handle = counted.retain()
                        spin(random.below(500))
                        handle.dispose()
                    case 4: if let bag = bag.value { make().disposed(by: bag) } else { make().dispose() }
                    case 5: bag.withLock { $0.take() }.map { withExtendedLifetime($0) {} }
                    case 6: composite.dispose()
                    case 7: serial.dispose()
                    default: counted.dispose()
                    }
                }
            }
            composite.dispose()
            serial.dispose()
            counted.dispose()
            bag.withLock { $0 = nil }
            for member in members.value {
                report.require(member.disposals == 1, "round \(round): a member was disposed \(member.disposals) times")
            }
        }
    }
}
