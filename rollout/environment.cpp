#include "rollout/environment.h"

#include "core/files.h"
#include "judge/scorers/registry.h"
#include "model/decoder/decoder.h"
#include "rollout/rules/free_revision.h"

namespace craft {

std::filesystem::path language_model_folder(const EnvironmentOptions& options) {
    return need_language_model(options.scorers) ? options.perplexity_model : std::filesystem::path();
}

LanguageModel open_language_model(const EnvironmentOptions& options, at::ScalarType dtype, const at::Device& device) {
    if (!need_language_model(options.scorers)) return {};
    const std::filesystem::path& folder = options.perplexity_model;
    return {Decoder::load(folder, dtype, device), open_tokenizer(folder)};
}

RevisionEnvironment::RevisionEnvironment(const EnvironmentOptions& options, const LanguageModel& language_model,
                                         at::ScalarType dtype, const at::Device& device)
    : sentences_(options.reward.sentences),
      rules_(std::make_shared<const Rules>(Rules::load(share_folder() / "rules"))),
      wordings_(Wordings::load(share_folder() / "wordings" / "constraints.json")),
      prompt_(PromptTemplate::named(options.prompt, sentences_)),
      feedback_(WordingTable::load(share_folder() / "prompts" / "feedback.json")),
      reviser_(open_reviser("rules", {rules_, sentences_})),
      judge_(options.reward, open_quality(options.scorers, {.language_model = [&] { return language_model; },
                                                            .sentences = sentences_,
                                                            .dtype = dtype,
                                                            .device = device})) {}

std::string RevisionEnvironment::free_revision(const std::string& text, Rng& rng) const {
    return craft::free_revision(*rules_, text, rng, sentences_);
}

Session RevisionEnvironment::session(Responder& planner, const SessionOptions& options, Judge* judge) {
    return {planner, *reviser_, judge != nullptr ? *judge : judge_, prompt_, feedback_, options};
}

Json RevisionEnvironment::versions() const {
    return {{"rules", rules_->version},    {"wordings", wordings_.version()},
            {"prompt", prompt_.version()}, {"feedback", feedback_.version()},
            {"reviser", reviser_->name()}, {"sentences", sentence_rule_name(sentences_)}};
}

}  // namespace craft
