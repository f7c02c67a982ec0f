// Static probes of the engine (USDT), for bpftrace and perf: a no-op instruction, and a note of its address.
#pragma once
#include <stdint.h>

#if defined(__ELF__) && (defined(__x86_64__) || defined(__aarch64__))
// The form that <sys/sdt.h> of SystemTap defines, version 3: a note in .note.stapsdt with the address of the probe, that of
// .stapsdt.base, by which tools find out how far the note was moved, and no semaphore.
#define RX_PROBE(name, arguments, ...)                                                                                 \
    __asm__ __volatile__("990: nop\n"                                                                                  \
                         ".pushsection .note.stapsdt,\"?\",\"note\"\n"                                                 \
                         ".balign 4\n"                                                                                 \
                         ".4byte 992f-991f, 994f-993f, 3\n"                                                            \
                         "991: .asciz \"stapsdt\"\n"                                                                   \
                         "992: .balign 4\n"                                                                            \
                         "993: .8byte 990b\n"                                                                          \
                         ".8byte _.stapsdt.base\n"                                                                     \
                         ".8byte 0\n"                                                                                  \
                         ".asciz \"rxengine\"\n"                                                                       \
                         ".asciz \"" #name "\"\n"                                                                      \
                         ".asciz \"" arguments "\"\n"                                                                  \
                         "994: .balign 4\n"                                                                            \
                         ".popsection\n"                                                                               \
                         ".ifndef _.stapsdt.base\n"                                                                    \
                         ".pushsection .stapsdt.base,\"aGR\",\"progbits\",.stapsdt.base,comdat\n"                       \
                         ".weak _.stapsdt.base\n"                                                                      \
                         ".hidden _.stapsdt.base\n"                                                                    \
                         "_.stapsdt.base: .space 1\n"                                                                  \
                         ".size _.stapsdt.base, 1\n"                                                                   \
                         ".popsection\n"                                                                               \
                         ".endif\n" ::__VA_ARGS__)
#else
#define RX_PROBE(name, arguments, ...) ((void)0)
#endif

/// A run starts: the address of its subscription, and the number of its operator.
static inline __attribute__((always_inline)) void rx_probe_subscribe(uint64_t subscription, uint64_t operation) {
    RX_PROBE(subscribe, "8@%0 8@%1", "nor"(subscription), "nor"(operation));
}

/// A run is disposed, or has ended and frees its source: the address of its subscription.
static inline __attribute__((always_inline)) void rx_probe_dispose(uint64_t subscription) {
    RX_PROBE(dispose, "8@%0", "nor"(subscription));
}
