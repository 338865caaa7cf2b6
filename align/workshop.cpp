#include "align/workshop.h"

#include "core/error.h"
#include "core/files.h"
#include "judge/perplexity.h"
#include "rollout/free_revision.h"

namespace craft {

namespace {

std::vector<std::shared_ptr<Scorer>> open_scorers(const WorkshopOptions& options, const Decoder& language_model,
                                                  const std::shared_ptr<const Tokenizer>& tokenizer) {
    std::vector<std::shared_ptr<Scorer>> scorers;
    for (const std::string& name : options.scorers) {
        if (name != "perplexity") throw_unknown("scorer", name, {"perplexity"});
        scorers.push_back(std::make_shared<PerplexityScorer>(language_model, tokenizer,
                                                             PerplexityOptions{.sentences = options.reward.sentences}));
    }
    return scorers;
}

std::filesystem::path prompt_file(const std::string& name) {
    const std::filesystem::path file = share_folder() / "prompts" / ("planner." + name + ".txt");
    if (!std::filesystem::exists(file)) throw_unknown("prompt", name, {"compact", "full"});
    return file;
}

}  // namespace

Planner Planner::open(const std::filesystem::path& folder, at::ScalarType dtype, const at::Device& device) {
    const Decoder base = Decoder::load(folder, dtype, device);
    return {base, base, open_tokenizer(folder), open_chat_template(folder)};
}

void Planner::adopt(const std::filesystem::path& adapter) {
    Decoder fresh = base;
    fresh.load_adapter(adapter, /*trainable=*/true);
    decoder = std::move(fresh);
}

Workshop::Workshop(const WorkshopOptions& options, const Decoder& language_model, std::shared_ptr<const Tokenizer> tokenizer)
    : sentences_(options.reward.sentences),
      rules_(std::make_shared<const Rules>(Rules::load(share_folder() / "rules"))),
      wordings_(Wordings::load(share_folder() / "wordings" / "constraints.json")),
      prompt_(PromptTemplate::load(prompt_file(options.prompt))),
      feedback_(WordingTable::load(share_folder() / "prompts" / "feedback.json")),
      reviser_(rules_, sentences_),
      judge_(options.reward, open_scorers(options, language_model, tokenizer)) {}

std::string Workshop::free_revision(const std::string& text, Rng& rng) const {
    return craft::free_revision(*rules_, text, rng, sentences_);
}

Session Workshop::session(System& planner, SessionOptions options) {
    options.sentences = sentences_;
    return {planner, reviser_, judge_, prompt_, feedback_, std::move(options)};
}

Json Workshop::versions() const {
    return {{"rules", rules_->version},    {"wordings", wordings_.version()},
            {"prompt", prompt_.version()}, {"feedback", feedback_.version()},
            {"reviser", reviser_.name()},  {"sentences", sentences_ == SentenceRule::paper ? "paper" : "icu"}};
}

}  // namespace craft
