#define _GNU_SOURCE
#include "CLabSystem.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int fascia_namespace_current(void) { return open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC); }

int fascia_namespace_new(void) {
    if (unshare(CLONE_NEWNET) < 0) return -1;
    return fascia_namespace_current();
}

int fascia_namespace_enter(int descriptor) { return setns(descriptor, CLONE_NEWNET); }

int fascia_namespace_socket(int network, int domain, int type) {
    int before = fascia_namespace_current();
    if (before < 0) return -1;
    int result = -1, error = 0;
    if (setns(network, CLONE_NEWNET) == 0) {
        result = socket(domain, type | SOCK_CLOEXEC, 0);
        error = errno;
        if (setns(before, CLONE_NEWNET) < 0) abort(); // this thread would go on in the wrong network
    } else {
        error = errno;
    }
    close(before);
    errno = error;
    return result;
}

int fascia_tap_open(const char *name) {
    int descriptor = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return -1;
    struct ifreq request;
    memset(&request, 0, sizeof request);
    request.ifr_flags = IFF_TAP | IFF_NO_PI;
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(descriptor, TUNSETIFF, &request) < 0) {
        int error = errno;
        close(descriptor);
        errno = error;
        return -1;
    }
    return descriptor;
}

int fascia_tap_carrier(int descriptor, int on) { return ioctl(descriptor, TUNSETCARRIER, &on); }

int fascia_host_enter(int network, const struct fascia_bind *binds, size_t count, const char **step) {
    *step = "entering the network namespace";
    if (setns(network, CLONE_NEWNET) < 0) return -1;
    *step = "making a mount namespace";
    if (unshare(CLONE_NEWNS) < 0) return -1;
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) return -1;
    for (size_t index = 0; index < count; index++) {
        *step = binds[index].target;
        if (mkdir(binds[index].target, 0755) < 0 && errno != EEXIST) return -1;
        if (mount(binds[index].source, binds[index].target, NULL, MS_BIND, NULL) < 0) return -1;
    }
    // So that /sys/class/net lists this host's devices. Only comfort: where it is not allowed, nothing of ours misses it.
    if (umount2("/sys", MNT_DETACH) == 0) (void)!mount("sysfs", "/sys", "sysfs", 0, NULL);
    return 0;
}

pid_t fascia_host_spawn(int network, const struct fascia_bind *binds, size_t count, const char *path, char *const arguments[],
                        char *const environment[], int output) {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child != 0) return child;
    // Only async-signal-safe calls from here on.
    const char *step = "starting";
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_IGN); // a Ctrl-C in the terminal is for the program that owns the lab
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) _exit(127);
    if (fascia_host_enter(network, binds, count, &step) == 0) {
        close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
        execve(path, arguments, environment);
        step = path;
    }
    const char *reason = strerrordesc_np(errno);
    (void)!write(2, step, strlen(step));
    (void)!write(2, ": ", 2);
    (void)!write(2, reason, strlen(reason));
    (void)!write(2, "\n", 1);
    _exit(127);
}

void fascia_become(const char *program, char *const arguments[]) {
    sigset_t none; // Dispatch blocks signals on its threads, and exec keeps what is blocked
    sigemptyset(&none);
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, &none, &before);
    execvp(program, arguments);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
}

pid_t fascia_background_spawn(const char *path, char *const arguments[], int input, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t child = -1;
    int error = posix_spawn(&child, path, &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    errno = error;
    return error == 0 ? child : -1;
}

ssize_t fascia_send_descriptor(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec vector = {(void *)bytes, count};
    union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int))]; } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t fascia_receive_descriptor(int socket, void *bytes, size_t count, int *descriptor) {
    struct iovec vector = {bytes, count};
    union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int))]; } control;
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    *descriptor = -1;
    ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (received < 0) return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header))
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
    return received;
}

int fascia_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
int fascia_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int fascia_thread_urgent(void) {
    prctl(PR_SET_TIMERSLACK, 1UL);
    struct sched_param parameter = {.sched_priority = 10};
    return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter);
}

int fascia_poll(struct pollfd *descriptors, size_t count, int64_t nanoseconds) {
    if (nanoseconds < 0) return ppoll(descriptors, count, NULL, NULL);
    struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return ppoll(descriptors, count, &limit, NULL);
}
