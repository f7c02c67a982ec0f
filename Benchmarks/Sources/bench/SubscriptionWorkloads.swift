import RxEngine

/// The cost of making, subscribing and disposing.
let subscriptionWorkloads = [
    Workload("subject-create", bestPeer: 1199, rxSwift: 1336) { count in
        for value in 0..<count {
            let subject = PublishSubject<Int>()
            let subscription = subject.subscribe(onNext: drain.take)
            subject.onNext(value)
            subscription.dispose()
        }
    },
    Workload("mapfilter6-create", bestPeer: 1559, rxSwift: 4855) { count in
        for value in 0..<count {
            Observable.just(value).sixSteps().subscribe(onNext: drain.take).dispose()
        }
    },
    Workload("mapfilter6-subscribe") { count in
        let chain = Observable.just(1).sixSteps()
        for _ in 0..<count { chain.subscribe(onNext: drain.take).dispose() }
    },
    Workload("create-subscribe") { count in
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            observer.onCompleted()
            return Disposables.create()
        }
        for _ in 0..<count { source.subscribe(onNext: drain.take).dispose() }
    },
    Workload("bag") { count in
        let source = Observable<Int>.never()
        let bag = DisposeBag()
        for _ in 0..<count { source.subscribe(onNext: drain.take).disposed(by: bag) }
    },
    // The cost of one must not grow with the number of the others.
    Workload("leave-in-order") { count in
        let subject = PublishSubject<Int>()
        for subscription in (0..<count).map({ _ in subject.subscribe(onNext: drain.take) }) { subscription.dispose() }
    },
    Workload("leave-in-reverse") { count in
        let subject = PublishSubject<Int>()
        let subscriptions = (0..<count).map { _ in subject.subscribe(onNext: drain.take) }
        for subscription in subscriptions.reversed() { subscription.dispose() }
    },
    Workload("concat-chain") { count in
        Observable.concat((0..<count).lazy.map { Observable.just($0) }).subscribe(onNext: drain.take).dispose()
    },
    // Subscribes again at each failure or completion.
    Workload("retry-failing") { count in
        Observable<Int>.error(RxError.noElements).retry(count).subscribe(onError: { _ in }).dispose()
    },
    Workload("retry-when-failing") { count in
        Observable<Int>.error(RxError.noElements).retry { (errors: Observable<any Error>) in errors.take(count) }
            .subscribe(onNext: drain.take).dispose()
    },
    Workload("repeat") { count in
        Observable.just(1).repeat(count).subscribe(onNext: drain.take).dispose()
    },
]
