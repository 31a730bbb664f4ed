#define _GNU_SOURCE
#include "CAppSpawn.h"
#include <fcntl.h>
#include <unistd.h>

int fascia_spawn_closefrom(posix_spawn_file_actions_t *actions, int lowest) {
    return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
}

int fascia_pipe_cloexec(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
