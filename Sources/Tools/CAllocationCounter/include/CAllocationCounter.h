#pragma once
#include <stdint.h>

/// Heap allocations this thread has made since it started: calls of malloc, calloc, realloc, posix_memalign,
/// aligned_alloc and memalign by anything in the process, Swift's runtime included.
uint64_t fascia_allocations_of_this_thread(void);

/// 0 when the counter is not built in (under a sanitizer, which brings an allocator of its own).
int fascia_counts_allocations(void);
