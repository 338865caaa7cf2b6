#include "data/response_counts.h"

namespace craft {

void ResponseCounts::add(const ParsedResponse& response, bool finished) {
    const Leniency passed = response.leniency();
    int64_t unusable = 0;
    for (const ParsedCall& call : response.calls.calls) unusable += call.call ? 0 : 1;
    ++responses;
    exact += passed.empty() && unusable == 0 ? 1 : 0;
    cut += finished ? 0 : 1;
    calls += static_cast<int64_t>(response.calls.calls.size());
    unusable_calls += unusable;
    add_leniency(leniency, passed);
}

void ResponseCounts::add(const ResponseCounts& others) {
    responses += others.responses;
    exact += others.exact;
    cut += others.cut;
    calls += others.calls;
    unusable_calls += others.unusable_calls;
    add_leniency(leniency, others.leniency);
}

Json to_json(const ResponseCounts& counts) {
    return {{"responses", counts.responses},
            {"exact", counts.exact},
            {"cut", counts.cut},
            {"calls", counts.calls},
            {"unusable_calls", counts.unusable_calls},
            {"leniency", counts.leniency}};
}

ResponseCounts response_counts_from_json(const Json& object) {
    return {object.at("responses").get<int64_t>(),
            object.at("exact").get<int64_t>(),
            object.at("cut").get<int64_t>(),
            object.at("calls").get<int64_t>(),
            object.at("unusable_calls").get<int64_t>(),
            object.at("leniency").get<Leniency>()};
}

}  // namespace craft
