// The samples of RxSwift's page about traits: Single, Completable and Maybe. SeedsDriver has the others. A closure
// takes the place of the server, and answers in virtual time.

import RxEngine
import RxEngineTest

enum CacheError: Error { case failedCaching }
enum DataError: Error { case cantParseJSON }

let scheduler = TestScheduler(initialClock: 0, resolution: 0.1, simulateProcessingDelay: false)
let disposeBag = DisposeBag()

print("-- Single")
func getRepo(_ repo: String) -> Single<[String: String]> {
    Single.create { single in
        let task = scheduler.scheduleRelative((), dueTime: .milliseconds(100)) {
            single(repo.contains("/") ? .success(["full_name": repo]) : .failure(DataError.cantParseJSON))
            return Disposables.create()
        }
        return Disposables.create { task.dispose() }
    }
}
getRepo("ReactiveX/RxSwift")
    .subscribe { event in
        switch event {
        case .success(let json): print("JSON:", json)
        case .failure(let error): print("Error:", error)
        }
    }
    .disposed(by: disposeBag)
getRepo("RxSwift")
    .subscribe(onSuccess: { json in print("JSON:", json) }, onFailure: { error in print("Error:", error) })
    .disposed(by: disposeBag)
scheduler.start()

print("-- Completable")
func cacheLocally(success: Bool) -> Completable {
    Completable.create { completable in
        guard success else {
            completable(.error(CacheError.failedCaching))
            return Disposables.create {}
        }
        completable(.completed)
        return Disposables.create {}
    }
}
for success in [true, false] {
    cacheLocally(success: success)
        .subscribe(
            onCompleted: { print("Completed with no error") },
            onError: { error in print("Completed with an error: \(error)") }
        )
        .disposed(by: disposeBag)
}

print("-- Maybe")
for event: MaybeEvent<String> in [.success("RxSwift"), .completed, .error(CacheError.failedCaching)] {
    Maybe<String>.create { maybe in
        maybe(event)
        return Disposables.create {}
    }
    .subscribe { maybe in
        switch maybe {
        case .success(let element): print("Completed with element \(element)")
        case .completed: print("Completed with no element")
        case .error(let error): print("Completed with an error \(error)")
        }
    }
    .disposed(by: disposeBag)
}

// Prints:
// -- Single
// JSON: ["full_name": "ReactiveX/RxSwift"]
// Error: cantParseJSON
// -- Completable
// Completed with no error
// Completed with an error: failedCaching
// -- Maybe
// Completed with element RxSwift
// Completed with no element
// Completed with an error failedCaching
