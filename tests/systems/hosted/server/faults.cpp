#include "tests/systems/hosted/server/faults.h"

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "core/rng.h"

namespace craft::chat_server {

const std::vector<std::string>& fault_names() {
    static const std::vector<std::string> names = {"http_429",
                                                   "http_429_quota",
                                                   "http_500",
                                                   "http_503",
                                                   "http_400_window",
                                                   "http_400_window_vllm",
                                                   "http_400_max_tokens",
                                                   "http_400_temperature",
                                                   "http_401",
                                                   "http_403",
                                                   "http_404",
                                                   "truncated",
                                                   "cut_json",
                                                   "dropped",
                                                   "never",
                                                   "slow_body",
                                                   "chunked",
                                                   "huge",
                                                   "bad_utf8",
                                                   "html",
                                                   "html_502",
                                                   "wrong_json",
                                                   "redirect_other_host",
                                                   "redirect_same_host",
                                                   "redirect_loop",
                                                   "error_in_200",
                                                   "no_choices",
                                                   "null_content",
                                                   "empty_content",
                                                   "content_filter",
                                                   "refusal",
                                                   "length",
                                                   "stop_at_limit",
                                                   "reasoning",
                                                   "think",
                                                   "foreign_model",
                                                   "n_ignored"};
    static_assert(static_cast<size_t>(Fault::n_ignored) == 36, "a name for each fault");
    return names;
}

const std::string& fault_name(Fault fault) {
    return fault_names().at(static_cast<size_t>(fault));
}

Fault fault_of(const std::string& name) {
    const auto& names = fault_names();
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) throw_unknown("fault", name, names);
    return static_cast<Fault>(found - names.begin());
}

FaultShare parse_fault_share(const std::string& text) {
    const size_t equals = text.find('=');
    FaultShare fault{fault_of(text.substr(0, equals))};
    if (equals == std::string::npos) return fault;
    const char* const end = text.data() + text.size();
    const auto [read, problem] = std::from_chars(text.data() + equals + 1, end, fault.share);
    if (problem != std::errc() || read != end || !(fault.share >= 0 && fault.share <= 1))
        throw Error(text.substr(0, equals), "a share from 0 to 1", "'" + text.substr(equals + 1) + "'");
    return fault;
}

bool is_good(std::optional<Fault> fault) {
    if (!fault) return true;
    switch (*fault) {
        case Fault::chunked:
        case Fault::reasoning:
        case Fault::think:
        case Fault::foreign_model:
        case Fault::n_ignored:
            return true;
        default:
            return false;
    }
}

std::optional<Fault> draw_fault(const std::vector<FaultShare>& faults, uint64_t seed, std::string_view body, int64_t asked) {
    if (faults.empty()) return std::nullopt;
    const double drawn = Rng(seed, "fault", body, static_cast<uint64_t>(asked)).uniform();
    double up_to = 0;
    for (const auto& [kind, share] : faults) {
        up_to += share;
        if (drawn < up_to) return kind;
    }
    return std::nullopt;
}

}  // namespace craft::chat_server
