// What corrected texts are worth beside references: GLEU (Napoles et al. 2016) and ERRANT's scores of edits (Bryant et al.
// 2017), as `eval metric gleu`, `eval edits` and `eval errant` have them.
#pragma once

#include <string>
#include <vector>

#include "cli/common.h"
#include "metrics/edits/edit_extraction.h"
#include "text/text_lines.h"

namespace craft {

// --reference
void bind_gec_references(OptionTable& table, std::vector<std::string>& references);

class GecScores {
public:
    // Sources are a line each. `english` is the folder of the model that tells types of edits (--english); without one they
    // are told by letters. Throws Error where a file of references cannot be read or has not a line for each source.
    GecScores(const std::vector<std::string>& references, std::vector<std::string> sources, const std::string& input,
              const std::string& english, int64_t threads);

    // {"references":n,"gleu":{"source","corrected","signature"},"edits":{"precision","recall","f0.5","tp","fp","fn",
    // "signature"},"by_type":{type:{"precision",...}}}; GLEU from 0 to 1. `texts` has one for each source, a line each.
    Json of(const std::vector<std::string>& texts) const;

private:
    double gleu(const std::vector<std::string>& texts, std::string& signature) const;
    SentenceFile source_;
    std::vector<SentenceFile> references_;
    EditLanguage language_;
    int64_t threads_;
};

}  // namespace craft
