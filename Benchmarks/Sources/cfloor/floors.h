// The two floors. Each runs all requests and returns what they came to; `tallies` has one element
// for each loop of the bare floor, one in all for the hand-off floor.

#ifndef FLOORS_H
#define FLOORS_H

#include "transfer.h"

void run_bare(const struct load_options *options, struct tally *tallies);

// At most `shard_size` transfers in each multi handle; 0: one multi handle in each loop.
void run_handoff(const struct load_options *options, int shard_size, struct tally *tally);

#endif
