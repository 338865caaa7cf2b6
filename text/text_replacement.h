// One stretch of a text that gives way to another: what rules propose and models weigh.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace craft {

// Bytes [begin, end) of a text give way to `to`; begin == end: an insertion.
struct TextReplacement {
    size_t begin = 0, end = 0;
    std::string to;
    bool operator==(const TextReplacement&) const = default;
};

// The text with that change. Throws Error if the bytes are not within it.
std::string with_replacement(const std::string& text, const TextReplacement& change);

// The shortest one that makes one text of the other.
TextReplacement replacement_between(const std::string& from, const std::string& to);

// A sentence and changes of it, each by itself, not one after the other.
struct ReplacementQuestion {
    std::string sentence;
    std::vector<TextReplacement> changes;
    std::vector<double> needed = {};  // of each change the gain that it must exceed to be of use; empty: any gain is
};

// Of each change of each sentence how much likelier it makes the sentence: the gain of log-probability in nats. Of one that
// does not come to what is needed it may say -infinity.
using ReplacementGains = std::function<std::vector<std::vector<double>>(const std::vector<ReplacementQuestion>&)>;

}  // namespace craft
