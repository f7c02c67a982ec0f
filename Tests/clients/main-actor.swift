// modes: 6
// A closure in main-actor code that may run elsewhere must not use the main actor's state: the compiler reports it, and
// nothing traps at run time.
import RxEngine

@MainActor
final class Screen {
    var lines: [String] = []
    let bag = DisposeBag()

    func show(_ titles: Observable<String>) {
        titles
            .map { title in
                self.lines.append(title)  // warning 6: main actor-isolated property 'lines' can not
                return title.count
            }
            .subscribe(onNext: { count in
                print(count)
                Task { @MainActor in self.lines.append("\(count)") }
            })
            .disposed(by: bag)
    }

    func count(_ titles: Observable<String>) -> any Disposable {
        var count = 0
        return titles.subscribe(onNext: { _ in
            count += 1  // warning 6: mutation of captured var 'count' in concurrently-executing code
        })
    }
}
