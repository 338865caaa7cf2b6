// A step's figures over all ranks.
#pragma once

#include "train/batch_loss.h"
#include "train/parallel/process_group.h"

namespace craft {

// Adds what each rank's share gave, in place. Returns the signal by which a rank was asked to stop, the same in all of them;
// 0: none. With one rank nothing changes, and its signals are its own affair: 0.
int sum_figures(ProcessGroup& group, BatchFigures& figures);

}  // namespace craft
