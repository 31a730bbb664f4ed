#define _GNU_SOURCE
#include "CAppRuntime.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// Method descriptor of `Foundation.NSObject.init()` (allocating) and type descriptor of `Foundation.NSObject`.
extern const char nsobject_init_method __asm__("$s10Foundation8NSObjectCACycfCTq");
extern const char nsobject_type __asm__("$s10Foundation8NSObjectCMn");

// Part of the Swift runtime's ABI.
extern void *swift_lookUpClassMethod(const void *metadata, const void *method, const void *type);

typedef __attribute__((swiftcall)) void *(*AllocatingInit)(__attribute__((swift_context)) const void *self_class);

void *fascia_create_object(const void *class_metadata) {
    AllocatingInit init = (AllocatingInit)swift_lookUpClassMethod(class_metadata, &nsobject_init_method, &nsobject_type);
    return init(class_metadata);
}

void fascia_write_output_by_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

// Backtraces for the phone's watchdog (spec/applink.md 6.1).

enum { frames_max = 128, frames_of_handler = 8 };

static int report_descriptor = -1;

static void *interrupted_at(const ucontext_t *context) {
#if defined(__x86_64__)
    return (void *)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (void *)context->uc_mcontext.pc;
#else
    (void)context;
    return NULL;
#endif
}

// Async-signal-safe: nothing here allocates or locks. backtrace() only does so on its first call, which was made at the start; it
// finds unwind tables without a lock since glibc 2.35.
static void on_report_signal(int number, siginfo_t *info, void *context) {
    (void)number;
    if (info->si_code != SI_QUEUE) return; // a profiler's timer uses the same signal
    int saved = errno;
    void *frames[frames_max + frames_of_handler];
    int count = backtrace(frames, frames_max + frames_of_handler);
    void *pc = interrupted_at(context);
    int first = 0;
    for (int i = 0; i < count && i < frames_of_handler; i++) {
        if (frames[i] == pc) first = i;
    }
    struct {
        uint32_t magic, value, thread, count;
        uint64_t counters[frames_max];
    } record = {.magic = 0x46425431, .value = (uint32_t)info->si_value.sival_int, .thread = (uint32_t)syscall(SYS_gettid)};
    // The way out of the handler was not found: where it was is known all the same.
    if (first == 0 && pc != NULL) record.counters[record.count++] = (uint64_t)(uintptr_t)pc;
    for (int i = first == 0 ? 2 : first; i < count && record.count < frames_max; i++) {
        record.counters[record.count++] = (uint64_t)(uintptr_t)frames[i];
    }
    size_t length = sizeof record - sizeof record.counters + record.count * sizeof(uint64_t);
    ssize_t written = write(report_descriptor, &record, length); // one write of less than PIPE_BUF: whole or not at all
    (void)written;
    errno = saved;
}

int fascia_install_reporter(int descriptor, int number) {
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0 || fcntl(descriptor, F_SETFL, O_NONBLOCK) < 0) return -1;
    report_descriptor = descriptor;
    void *first[1];
    backtrace(first, 1); // loads the unwinder
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_report_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    return sigaction(number, &action, NULL);
}
