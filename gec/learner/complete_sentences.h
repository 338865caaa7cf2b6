// The sentences of a text that stand well by themselves.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// They begin with a capital, end with . ? or !, and have 5 to 35 words, paired brackets and quotation marks and one blank
// between words. Those left out are counted in `dropped` by the reason. A full stop after "Mr", an initial and the like
// ends none.
std::vector<std::string> complete_sentences(std::string_view text, std::map<std::string, int64_t>& dropped);

}  // namespace craft
