// The peer of `intervals`: as many timer descriptors in one epoll, the usual way in C.
// timerfds COUNT SECONDS; prints the share of one core and the ticks a second.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static double spent(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const int count = atoi(argv[1]), seconds = atoi(argv[2]);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    const int poll = epoll_create1(EPOLL_CLOEXEC);
    for (int number = 0; number < count; number++) {
        const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
        if (timer < 0) { perror("timerfd_create"); return 1; }
        const long part = 1000000000L / count * number + 1;
        struct itimerspec time = {.it_interval = {.tv_sec = 1}, .it_value = {.tv_sec = 1, .tv_nsec = part % 1000000000L}};
        timerfd_settime(timer, 0, &time, NULL);
        struct epoll_event event = {.events = EPOLLIN, .data = {.fd = timer}};
        epoll_ctl(poll, EPOLL_CTL_ADD, timer, &event);
    }
    double begin = 0, before = 0;
    long ticks = 0;
    const double start = now();
    while (1) {
        struct epoll_event events[256];
        const int ready = epoll_wait(poll, events, 256, 100);
        for (int index = 0; index < ready; index++) {
            uint64_t expired;
            if (read(events[index].data.fd, &expired, sizeof(expired)) > 0) ticks++;
        }
        const double time = now();
        if (begin == 0 && time - start > 2) { begin = time; before = spent(); ticks = 0; }
        if (begin > 0 && time - begin > seconds) {
            printf("%.2f\t%.0f\n", (spent() - before) / (time - begin) * 100, ticks / (time - begin));
            return 0;
        }
    }
}
