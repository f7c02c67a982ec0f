// modes: 5 6
// Beside the Observation module, whose protocol is called `Observable` too: the name alone means ours, as
// `RxObservable` and the name with the module before it do; the macro and `Observation.Observable` mean the other.
import Observation
import RxEngine

@Observable
final class Model {
    var name = ""
}

func titles() -> RxObservable<String> {
    RxObservable.just("a").map { $0 + "b" }
}

func counts() -> RxEngine.Observable<Int> {
    titles().map { $0.count }
}

func lengths() -> Observable<Int> {
    Observable.merge(counts(), .just(1))
}

func watch(_ model: some Observation.Observable) {}
