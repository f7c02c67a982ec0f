# The time of day is set while the daemon runs, forward and back, over full hours, months and the changes of summer time. Aligned
# ticks follow the clock, each hour once; whatever has a period or a time limit does not notice. A library shifts the time of day
# of the daemon by the seconds that a file contains, and the kernel reports a step, since the host's clock is set to its own time.
. "${0%/*}/../lib.sh"

# The compiler is that of the Swift toolchain.
clang -shared -fPIC -O1 -x c -o "$SCRATCH/shifted.so" - <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long shift(void) {
    int file = open("/var/lib/shifted", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[32];
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    return count > 0 ? (text[count] = 0, atol(text)) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, time);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += shift();
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec time;
    int status = clock_gettime(CLOCK_REALTIME, &time);
    *now = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
    return status;
}

/* The kernel's clock is not shifted. */
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict limit) {
    static int (*real)(sem_t *, const struct timespec *);
    if (!real) real = (int (*)(sem_t *, const struct timespec *))dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec time = {limit->tv_sec - shift(), limit->tv_nsec};
    return real(semaphore, &time);
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
C

# set_clock TIME: sets the daemon's clock.
set_clock() {
    put /var/lib/shifted.new <<<$(($(date -d "$1" +%s) - $(date +%s)))
    box mv /var/lib/shifted.new /var/lib/shifted
    date -s "@$(date +%s.%N)" >/dev/null
}

install_package
box systemctl stop rxwatchd
box sh -c 'cat >/usr/lib/shifted.so' <"$SCRATCH/shifted.so"
# Central Europe, without the package of time zones.
drop_in shifted <<<$'[Service]\nEnvironment=LD_PRELOAD=/usr/lib/shifted.so TZ=CET-1CEST,M3.5.0,M10.5.0/3'
put "$SHIPPED" <<'YAML'
daemon: { drain: 5s, resources: 1h }
sources:
  hour: { interval: { every: 1h, align: local } }
  tick: { interval: 100ms }
pipelines:
  hours: { from: hour, to: [journal: "{{$event.time | strftime(\"%FT%H:%MZ\")}}"] }
  beats: { from: tick, to: [file: /var/lib/rxwatchd/beats] }
  calm: { from: tick, steps: [buffer: { span: 1s }], to: [file: /var/lib/rxwatchd/calm] }
YAML

hours() { records RX_KIND=event RX_PIPELINE=hours | jq -r .MESSAGE; }
lines() { box sh -c "cat /var/lib/rxwatchd/$1 2>/dev/null | wc -l"; }
grown() { (($(lines "$1") >= $2)); }
# goes_on: ticks and time limits go on at their pace.
goes_on() {
    local beats calm began=${EPOCHREALTIME/./}
    beats=$(lines beats) calm=$(lines calm)
    eventually 5 grown beats $((beats + 10))
    ((${EPOCHREALTIME/./} - began > 700000)) || fail "ten ticks in $((${EPOCHREALTIME/./} - began)) us"
    eventually 5 grown calm $((calm + 1))
    is ActiveState active || fail "$(show ActiveState)"
}
# hours_are TIME...: whether these are the ticks so far.
hours_are() { [[ $(hours) == "$(printf '%s\n' "$@")" ]]; }

set_clock '2026-03-28T11:30:00Z'
box systemctl start rxwatchd
equal "$(box sh -c "grep -q shifted.so /proc/$(show MainPID)/maps && echo loaded")" loaded
goes_on
# Forward within the hour: nothing. Over a full hour: its tick is late, and emitted at once.
set_clock '2026-03-28T11:50:00Z'
goes_on
equal "$(hours)" ''
set_clock '2026-03-28T12:15:00Z'
eventually 10 hours_are 2026-03-28T12:15Z
# Back over the full hour, and over it again: it has had its tick.
set_clock '2026-03-28T11:59:55Z'
sleep 6
goes_on
hours_are 2026-03-28T12:15Z || fail "$(hours)"
# The next hour comes by itself.
set_clock '2026-03-28T12:59:55Z'
eventually 10 hours_are 2026-03-28T12:15Z 2026-03-28T13:00Z
# Forward over many hours: one tick. Summer time begins five seconds later: after 2 o'clock, or 3 o'clock then.
set_clock '2026-03-29T00:59:55Z'
eventually 10 hours_are 2026-03-28T12:15Z 2026-03-28T13:00Z 2026-03-29T00:59Z 2026-03-29T01:00Z
# Summer time ends: 3 o'clock becomes 2 o'clock.
set_clock '2026-10-25T00:59:55Z'
eventually 10 hours_are 2026-03-28T12:15Z 2026-03-28T13:00Z 2026-03-29T00:59Z 2026-03-29T01:00Z \
    2026-10-25T00:59Z 2026-10-25T01:00Z
goes_on
# Back by more than a year: the hour that begins five seconds later is within half an hour of the last tick, so it has none.
# The later ones follow.
set_clock '2025-06-01T10:59:55Z'
sleep 6
goes_on
set_clock '2025-06-01T12:10:00Z'
eventually 10 hours_are 2026-03-28T12:15Z 2026-03-28T13:00Z 2026-03-29T00:59Z 2026-03-29T01:00Z \
    2026-10-25T00:59Z 2026-10-25T01:00Z 2025-06-01T12:10Z
# The time since the start is not that of the clock, and no id came twice.
up=$(box rxwatchctl status --json | jq .details.up)
((up < 120)) || fail "up $up seconds"
equal "$(records RX_KIND=event RX_PIPELINE=hours | jq -r .RX_EVENT_ID | sort | uniq -d)" ''

# A process whose clock is behind that of the one before, and the stop of it.
beats=$(lines beats)
box systemctl restart rxwatchd
eventually 5 grown beats $((beats + 10))
stop_within 6
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
some '.RX_RESOURCES_TOTAL == .RX_RESOURCES_BASELINE' RX_PHASE=stopped || fail "$(records RX_PHASE=stopped)"
