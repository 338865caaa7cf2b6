// Which process of how many this is, as a launcher says it in the environment: torchrun-style variables, or Slurm's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace craft {

struct Launch {
    int rank = 0, size = 1;
    std::optional<int> local_rank;  // among this machine's; none: to be found out
    std::string address;            // of rank 0
    uint16_t port = 0;
    // torchrun keeps a store at that address itself, over restarts of the ranks, and gives each start a number.
    bool launcher_keeps_store = false;
    std::string attempt;
};

using Environment = std::function<const char*(const char* name)>;  // as getenv

// RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT; without RANK and WORLD_SIZE, Slurm's SLURM_PROCID, SLURM_NTASKS,
// SLURM_LOCALID, with the first host of SLURM_STEP_NODELIST or SLURM_JOB_NODELIST and a port that follows from the job
// (MASTER_ADDR and MASTER_PORT win). nullopt: no launcher, or a world of one. Throws UsageError with everything that is
// missing, is no number or does not fit.
std::optional<Launch> launch_from(const Environment& environment);
// By this process's environment.
std::optional<Launch> launch_here();

}  // namespace craft
