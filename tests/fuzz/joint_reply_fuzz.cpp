// libFuzzer target: any bytes as a judge's answer about two texts. It has marks of both or a problem, never both, and every
// mark is a place of its scale. Run as `joint_reply_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "judge/verdicts/joint_reply.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string reply(reinterpret_cast<const char*>(data), size);
    for (const char* aspect : {"fluency", "semantics"}) {
        const auto scales = craft::scales_beside(aspect);
        const craft::JointReply read = craft::read_joint(reply, "1", {"output_1", "output_2"}, scales);
        if (read.marks.empty() == read.problem.empty()) std::abort();
        if (read.marks.empty()) continue;
        if (read.marks.size() != 2) std::abort();
        for (const auto& marks : read.marks)
            for (const auto& scale : scales)
                if (marks.at(scale.name) >= scale.marks.size()) std::abort();
    }
    return 0;
}
