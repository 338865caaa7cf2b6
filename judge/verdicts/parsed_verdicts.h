// The verdicts that stand in a judge's reply, as it writes them (judge/verdicts/listwise_reply.h says which forms).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/reply_text.h"

namespace craft {

// What one line or one JSON object says.
struct ParsedVerdict {
    std::string aspect;       // as it is written; empty: it names none
    std::string best, worst;  // what stands in the numbers' places
    bool quoted = false;
    Leniency let_pass;  // kinds of ListwiseReply::let_pass
};

// In their order. Never throws on any bytes.
std::vector<ParsedVerdict> parsed_verdicts(std::string_view reply);

}  // namespace craft
