#include "train/parallel/launch.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/host_list.h"
#include "core/utf8.h"

namespace craft {

namespace {

constexpr int64_t kMaxRanks = 1 << 20;

// Variables with what is wrong with them.
class Variables {
public:
    explicit Variables(const Environment& environment) : environment_(environment) {}

    // Its value; an empty one counts as none.
    std::string text(const char* name) const {
        const char* value = environment_(name);
        return value == nullptr ? "" : value;
    }
    bool has(const char* name) const { return !text(name).empty(); }

    // A whole number from `least` to `most`; else a problem, and nullopt.
    std::optional<int64_t> number(const char* name, int64_t least, int64_t most) {
        const std::string value = text(name);
        int64_t parsed = 0;
        const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), parsed);
        const bool whole = code == std::errc() && end == value.data() + value.size();
        if (whole && parsed >= least && parsed <= most) return parsed;
        problem(std::string(name) + ": expected a whole number from " + std::to_string(least) + " to " +
                std::to_string(most) + ", got " + (value.empty() ? "none" : "'" + shortened(value, 80) + "'"));
        return std::nullopt;
    }

    void problem(std::string line) { problems_.push_back(std::move(line)); }
    void finish() {
        if (!problems_.empty()) throw UsageError(std::move(problems_));
    }

private:
    const Environment& environment_;
    std::vector<std::string> problems_;
};

void read_ranks(Variables& from, const char* rank_name, const char* size_name, const char* local_name, Launch& launch) {
    const auto size = from.number(size_name, 1, kMaxRanks);
    const auto rank = from.number(rank_name, 0, size.value_or(kMaxRanks) - 1);
    if (from.has(local_name)) {
        // A machine's ranks are counted in the order of all ranks.
        const auto local = from.number(local_name, 0, rank.value_or(kMaxRanks));
        if (local) launch.local_rank = static_cast<int>(*local);
    }
    launch.size = static_cast<int>(size.value_or(1));
    launch.rank = static_cast<int>(rank.value_or(0));
}

std::optional<Launch> torchrun_style(Variables& from) {
    Launch launch;
    read_ranks(from, "RANK", "WORLD_SIZE", "LOCAL_RANK", launch);
    if (launch.size > 1) {
        launch.address = from.text("MASTER_ADDR");
        if (launch.address.empty()) from.problem("MASTER_ADDR: expected the host of rank 0, got none");
        launch.port = static_cast<uint16_t>(from.number("MASTER_PORT", 1, 65535).value_or(1));
        launch.launcher_keeps_store = from.text("TORCHELASTIC_USE_AGENT_STORE") == "True";
        launch.attempt = from.text("TORCHELASTIC_RUN_ID") + "/" + from.text("TORCHELASTIC_RESTART_COUNT");
    }
    from.finish();
    return launch.size > 1 ? std::optional(launch) : std::nullopt;
}

// Below the ports that systems hand out by themselves, another one for each job and step.
uint16_t port_of(int64_t job, int64_t step) {
    return static_cast<uint16_t>(15000 + (job * 7 + step) % 16000);
}

std::optional<Launch> slurm(Variables& from) {
    Launch launch;
    const bool step = from.has("SLURM_STEP_NUM_TASKS");  // of several steps in one job, this one's
    read_ranks(from, "SLURM_PROCID", step ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS", "SLURM_LOCALID", launch);
    if (launch.size > 1) {
        const char* list = from.has("SLURM_STEP_NODELIST") ? "SLURM_STEP_NODELIST" : "SLURM_JOB_NODELIST";
        launch.address = from.text("MASTER_ADDR");
        try {
            if (launch.address.empty()) launch.address = first_host(from.text(list));
        } catch (const Error& error) {
            from.problem(std::string(list) + ": " + error.what() + "; MASTER_ADDR names rank 0's host without it");
        }
        if (from.has("MASTER_PORT"))
            launch.port = static_cast<uint16_t>(from.number("MASTER_PORT", 1, 65535).value_or(1));
        else
            launch.port = port_of(from.number("SLURM_JOB_ID", 0, INT32_MAX).value_or(0),
                                  from.has("SLURM_STEP_ID") ? from.number("SLURM_STEP_ID", 0, UINT32_MAX).value_or(0) : 0);
    }
    from.finish();
    return launch.size > 1 ? std::optional(launch) : std::nullopt;
}

}  // namespace

std::optional<Launch> launch_from(const Environment& environment) {
    Variables from(environment);
    if (from.has("WORLD_SIZE") || from.has("RANK")) return torchrun_style(from);
    if (from.has("SLURM_PROCID") && (from.has("SLURM_NTASKS") || from.has("SLURM_STEP_NUM_TASKS"))) return slurm(from);
    return std::nullopt;
}

std::optional<Launch> launch_here() {
    return launch_from([](const char* name) { return std::getenv(name); });
}

}  // namespace craft
