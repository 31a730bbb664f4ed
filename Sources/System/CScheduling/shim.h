#pragma once
#include <sched.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* sched_setattr(2), which this glibc has no function for, of the calling thread; threads and processes it starts are ordinary again. */
static inline int fascia_set_scheduling(uint32_t policy, int32_t nice, uint32_t priority, uint64_t slice) {
    struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; } attributes = {
        .size = 48, .policy = policy, .flags = 1 /* SCHED_FLAG_RESET_ON_FORK */, .nice = nice, .priority = priority, .runtime = slice
    };
    return (int)syscall(SYS_sched_setattr, 0, &attributes, 0u);
}

/* How late the calling thread's timers may be for the sake of others, nanoseconds. */
static inline int fascia_set_timer_slack(unsigned long nanoseconds) { return prctl(PR_SET_TIMERSLACK, nanoseconds, 0ul, 0ul, 0ul); }

/* Of the calling thread, as tools show it: at most 15 bytes. */
static inline int fascia_set_thread_name(const char *name) { return prctl(PR_SET_NAME, name, 0ul, 0ul, 0ul); }

/* Processor time that a real-time thread of this process may take without waiting, microseconds; then the process gets SIGXCPU. With a hard
   limit that is no larger it would get SIGKILL instead, which says nothing; at twice the time it does get that. */
static inline int fascia_limit_real_time(rlim_t microseconds) {
    struct rlimit limit = { microseconds, 2 * microseconds };
    return setrlimit(RLIMIT_RTTIME, &limit);
}
