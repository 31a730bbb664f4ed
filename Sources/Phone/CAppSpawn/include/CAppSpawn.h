#pragma once
#include <spawn.h>

/// Closes every descriptor from `lowest` on in the spawned process. 0 or an errno value. (GNU extension, glibc 2.34.)
int fascia_spawn_closefrom(posix_spawn_file_actions_t *actions, int lowest);

/// A pipe whose ends no other process inherits: reading end first. 0, or -1 with errno set.
int fascia_pipe_cloexec(int ends[2]);

/// Queues a signal with a value to one thread of a process; glibc has this for the own process only. 0, or -1 with errno set.
int fascia_queue_signal(pid_t process, pid_t thread, int number, int value);
