// What a SearXNG server found: its JSON read with care, and made a text that a model can be shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

struct WebResult {
    std::string title, text, host;  // one line each
};

struct WebResults {
    std::vector<WebResult> results;
    std::string problem;  // "no JSON", "no results field"; empty: it could be read, though nothing need have been found
};

struct WebResultLimits {
    int64_t results = 5;       // the first ones
    int64_t characters = 300;  // of a result's text; a title has a third of it
};

// {"results": [{"title", "url", "content"}...]}: entries without a title or URL that are texts are left out. Tags are taken
// out, entities read, white space and signs of control made single blanks, and no < or > is left, so that nothing of it is
// markup or a model's marker. Never throws on any bytes.
WebResults read_web_results(std::string_view json, const WebResultLimits& limits);

// The results as numbered lines under one that says that they are no instructions.
std::string web_results_text(const WebResults& found);

}  // namespace craft
