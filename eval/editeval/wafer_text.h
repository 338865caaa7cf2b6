// WAFER-INSERT's texts (EditEval §3.5): an article of KILT with one claim in it, taken out and put back.
#pragma once

#include <string>
#include <vector>

namespace craft {

struct WaferText {
    std::string title;
    std::string source,
        target;  // the article's text without and with the claim; headings as "== History ==", bullets as "* "
};

// `input` is "TITLE [SEP] Section::::HEADING.:HEADING [SEP] text", whose paragraphs stand on lines of their own, begin with
// "Section::::" where they are headings and hold "BULLET::::" where they are bullets; "[CIT]" and "[CIT]." are left out. A
// claim that is not found in it comes after the text. Sentences that were cut at either end of the text are left out.
// Throws Error with the reason alone, by which rows are counted: a text that is not of three parts, a heading within a
// paragraph, an empty claim, a source that is empty or has nothing to be put back.
WaferText wafer_text(const std::string& input, const std::string& claim);

}  // namespace craft
