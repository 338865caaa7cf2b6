#include "systems/hosted/error_watch.h"

namespace craft {

bool is_servers(Failure failure) {
    switch (failure) {
        case Failure::none:
        case Failure::prompt_too_long:
        case Failure::content_filtered:
        case Failure::declined:
        case Failure::over_budget:
        case Failure::awaited:
            return false;
        default:
            return true;
    }
}

bool may_be_repeated(Failure failure) {
    return is_servers(failure) && failure != Failure::refused_request && failure != Failure::redirected;
}

void ErrorWatch::note(Failure failure, const std::string& error) {
    const bool failed = is_servers(failure);
    if (failed) last_error_ = error;
    last_.push_back(failed);
    failed_ += failed ? 1 : 0;
    if (static_cast<int64_t>(last_.size()) <= options_.window) return;
    failed_ -= last_.front() ? 1 : 0;
    last_.pop_front();
}

bool ErrorWatch::is_over() const {
    const auto seen = static_cast<int64_t>(last_.size());
    return seen >= options_.window && static_cast<double>(failed_) > options_.share * static_cast<double>(seen);
}

std::string ErrorWatch::line() const {
    return std::to_string(failed_) + " of the last " + std::to_string(last_.size()) +
           " items failed, the last one with: " + last_error_;
}

}  // namespace craft
