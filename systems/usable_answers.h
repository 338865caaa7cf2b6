// What became of a run's items: how many had an answer that could be used, and why the others had none.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/json.h"

namespace craft {

class UsableAnswers {
public:
    // `problem`: why an item had no usable answer (Reply::problem(), or what could not be read in it); empty: it had one.
    void add(const std::string& problem, int64_t times = 1);
    void add_row(const Json& row);  // an output row, by its add_status()
    int64_t usable() const { return usable_; }
    int64_t unusable() const { return unusable_; }
    bool none_is_usable() const { return usable_ == 0 && unusable_ > 0; }
    // Of the unusable ones, the most common reason first: "no_choices 18, cut 2".
    std::string reasons() const;
    // Throws Error naming `who` was asked where there were items, and none of them had a usable answer.
    void require_any(const std::string& who, const std::string& hint) const;

private:
    int64_t usable_ = 0, unusable_ = 0;
    std::map<std::string, int64_t> problems_;
};

// "status" of an output row: "revised", "unchanged" (an answer left the text as it was), or "failed" with "reason": no
// answer could be used, and the text is as it came.
void add_status(Json& row, bool is_changed, const std::string& problem);

}  // namespace craft
