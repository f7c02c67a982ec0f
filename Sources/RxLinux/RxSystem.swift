// Descriptors, lines and sockets are part of this library for its users; rxwatchctl uses them without its C libraries.
@_exported import RxSystem
