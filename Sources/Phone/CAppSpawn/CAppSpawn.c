#define _GNU_SOURCE
#include "CAppSpawn.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int fascia_spawn_closefrom(posix_spawn_file_actions_t *actions, int lowest) {
    return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
}

int fascia_pipe_cloexec(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int fascia_queue_signal(pid_t process, pid_t thread, int number, int value) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = number;
    info.si_code = SI_QUEUE;
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_int = value;
    return (int)syscall(SYS_rt_tgsigqueueinfo, process, thread, number, &info);
}
