#include "cli/gec_scores.h"

#include <algorithm>
#include <thread>

#include "cli/edit_options.h"
#include "metrics/edits/edit_results.h"
#include "metrics/registry.h"

namespace craft {

void bind_gec_references(OptionTable& table, std::vector<std::string>& references) {
    table
        .add("references", references,
             "corrected texts by others, a line for each text; given several times: several references. Then the manifest "
             "has scores")
        .flag("--reference")
        .input()
        .type = "paths";
}

GecScores::GecScores(const std::vector<std::string>& references, std::vector<std::string> sources, const std::string& input,
                     const std::string& english, int64_t threads)
    : source_{input, std::move(sources)},
      threads_(threads > 0 ? threads : std::max<int64_t>(1, std::thread::hardware_concurrency())) {
    for (const std::string& path : references) {
        references_.push_back(read_sentences(path));
        check_line_count(references_.back(), source_.sentences.size(), "as in " + input);
    }
    language_ = open_edit_language(english, "auto");
}

double GecScores::gleu(const std::vector<std::string>& texts, std::string& signature) const {
    const std::unique_ptr<Metric> metric = make_metric("gleu");
    for (size_t i = 0; i < texts.size(); ++i) {
        MetricItem item{std::to_string(i + 1), source_.sentences[i], texts[i], {}};
        for (const SentenceFile& reference : references_) item.references.push_back(reference.sentences[i]);
        metric->add(metric->measure(item));
    }
    metric->use_threads(threads_);
    signature = metric->signature();
    return metric->corpus().at("gleu");
}

Json GecScores::of(const std::vector<std::string>& texts) const {
    Json scores = {{"references", references_.size()}};
    std::string signature;
    scores["gleu"] = {{"source", gleu(source_.sentences, signature)}, {"corrected", gleu(texts, signature)}};
    scores["gleu"]["signature"] = signature;
    const M2File gold = extract_edits(source_, references_, language_, threads_).file;
    const M2File made = extract_edits(source_, {{"corrected texts", texts}}, language_, threads_).file;
    const Json errant = errant_result(made, gold, {}, 3);
    scores["edits"] = errant.at("corpus");
    scores["edits"]["signature"] = errant.at("signature");
    scores["by_type"] = errant.at("by_type");
    return scores;
}

}  // namespace craft
