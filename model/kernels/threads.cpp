#include "model/kernels/threads.h"

#include <ATen/Parallel.h>

#include <optional>

#include "core/other_cpu_load.h"

namespace craft {

namespace {

struct Followed {
    OtherCpuLoad other_load;
    int most = 1;
};

std::optional<Followed>& followed() {
    static std::optional<Followed> state;
    return state;
}

}  // namespace

void leave_cores_to_others(bool leave) {
    if (!leave) return followed().reset();
    if (followed()) return;  // the threads of now may be few because of others
    followed().emplace();
    followed()->most = at::get_num_threads();
}

int threads_beside(double in_use, int cores, int most) {
    return free_cores(in_use, cores, most);
}

void adapt_threads() {
    if (!followed() || followed()->most == 1) return;
    const auto in_use = followed()->other_load.cores_in_use();
    if (!in_use) return;
    const int threads = threads_beside(*in_use, followed()->other_load.cores(), followed()->most);
    if (threads != at::get_num_threads()) at::set_num_threads(threads);
}

}  // namespace craft
