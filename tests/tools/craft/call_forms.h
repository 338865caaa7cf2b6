// What a text's calls are read as.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tools/craft/craft_tools.h"

namespace craft::test {

// Normal forms of usable calls, "!" + the first word of the problem for the others.
inline std::vector<std::string> forms(std::string_view text) {
    std::vector<std::string> out;
    for (const ParsedCall& parsed : parse_calls(text).calls) {
        EXPECT_EQ(parsed.call.has_value(), parsed.problem.empty());
        out.push_back(parsed.call ? normal_form(*parsed.call)
                                  : "!" + parsed.problem.substr(0, parsed.problem.find_first_of(" :")));
    }
    return out;
}

inline const char* const kWords = "word_count_check(300, \"less than\")";
inline const char* const kEval = "text_eval()";

}  // namespace craft::test
