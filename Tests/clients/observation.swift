// modes: 5 6
// Together with the Observation module, whose protocol is also named `Observable`: the bare name is the engine's type,
// as are `RxObservable` and the name qualified by the module; the macro and `Observation.Observable` are the other
// module's.
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
