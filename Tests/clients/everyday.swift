// modes: 5 6
// Typical uses, in either mode.
import Dispatch
import RxEngine

struct Reading {
    var celsius: Double
}

func hot(_ readings: Observable<Reading>) -> Observable<String> {
    readings
        .filter { $0.celsius > 30 }
        .map { "\($0.celsius) °C" }
}

func numbers() -> Observable<Int> {
    Observable.create { observer in
        observer.onNext(1)
        observer.on(.next(2))
        observer.onCompleted()
        return Disposables.create()
    }
}

func use() {
    let bag = DisposeBag()
    let subject = PublishSubject<Int>()
    subject
        .map { $0 * 2 }
        .subscribe(onNext: { print($0) }, onError: { print($0) }, onCompleted: { print("done") })
        .disposed(by: bag)
    subject.onNext(1)
    Observable.of(1, 2, 3).subscribe { event in print(event) }.disposed(by: bag)
    Observable<Int>.interval(.milliseconds(300), scheduler: SerialDispatchQueueScheduler(qos: .default))
        .subscribe(onNext: { print($0) })
        .disposed(by: bag)
}
