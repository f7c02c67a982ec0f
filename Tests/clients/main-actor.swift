// modes: 6
// A closure that is written in main-actor code and may run elsewhere must not touch what belongs to the main actor: the
// compiler says so, and nothing traps when it runs.
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
