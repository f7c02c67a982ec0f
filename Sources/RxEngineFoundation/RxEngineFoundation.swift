import RxEngine
