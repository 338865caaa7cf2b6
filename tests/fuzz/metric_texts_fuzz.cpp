// libFuzzer target: any texts are measured by every metric of words, and the figures keep their scales. The first line is
// the source, the second the prediction, each further one a reference. Run as `metric_texts_fuzz -max_total_time=60`.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/error.h"
#include "metrics/registry.h"
#include "metrics/words.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();  // what libFuzzer counts as a finding
}

craft::MetricItem item_of(const std::string& text) {
    std::vector<std::string> lines;
    size_t begin = 0;
    for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    lines.push_back(text.substr(begin));
    lines.resize(std::max<size_t>(lines.size(), 3));
    craft::MetricItem item{.id = "x", .source = lines[0], .prediction = lines[1], .references = {}};
    item.references.assign(lines.begin() + 2, lines.end());
    return item;
}

// The item's figure and the corpus of it alone stay within the scale.
craft::ItemScore measured(const std::string& name, const craft::MetricItem& item, const craft::MetricOptions& options,
                          double low, double high) {
    const auto metric = craft::make_metric(name, options);
    craft::ItemScore score = metric->measure(item);
    require(score.value && *score.value >= low && *score.value <= high);
    metric->add(score);
    const double corpus = metric->corpus().at(name).get<double>();
    require(corpus >= low && corpus <= high);
    return score;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const craft::MetricItem item = item_of(std::string(reinterpret_cast<const char*>(data), size));
    for (const auto tokenizer : {craft::WordTokenizer::mteval13a, craft::WordTokenizer::intl, craft::WordTokenizer::nltk,
                                 craft::WordTokenizer::nltk_3_10, craft::WordTokenizer::whitespace}) {
        craft::MetricOptions options;
        options.tokenizer = tokenizer;
        measured("sari", item, options, 0, 100 + 1e-9);
        measured("bleu", item, options, 0, 100);
        measured("ibleu", item, options, -0.1 - 1e-9, 0.9 + 1e-9);
        measured("fkgl", item, options, 0, HUGE_VAL);
        craft::MetricItem copy = item;
        copy.prediction = item.references[0];
        const auto score = measured("bleu", copy, options, 0, 100);
        require(*score.value == 100 || craft::tokenised(copy.prediction, tokenizer, false).empty());
        try {  // ICU's sentences are of UTF-8 alone
            const auto estimates = measured("quality", item, options, 0, HUGE_VAL).parts;
            for (const char* part : {"levenshtein_similarity", "additions_proportion", "deletions_proportion"})
                require(estimates.at(part).get<double>() >= 0 && estimates.at(part).get<double>() <= 1);
        } catch (const craft::Error&) {}
    }
    return 0;
}
