#include "cli/word_alignment_options.h"

#include <vector>

#include "cli/placement.h"
#include "core/files.h"
#include "core/rows.h"
#include "data/candidates.h"
#include "judge/scorers/transport_aligner.h"

namespace craft {

namespace {

// Each source with each of its candidates.
std::vector<WordPair> candidate_pairs(const std::filesystem::path& file) {
    std::vector<WordPair> pairs;
    for_each_row(file.string(), {}, [&](const Json& row, const std::string& where) {
        const CandidateGroup group = candidate_group_from_json(row, where);
        for (const Candidate& candidate : group.candidates) pairs.emplace_back(group.source, candidate.text);
    });
    return pairs;
}

}  // namespace

void bind_word_alignment(OptionTable& table, WordAlignmentSettings& s) {
    bind_model(table, "aligner.encoder", s.encoder,
               "an encoder (BERT) that aligns the words of sources and candidates for judges; none: they see no alignments")
        .flag("--aligner");
    const size_t before = table.options().size();
    table
        .add("aligner.layer", s.options.layer,
             "whose states are compared: from the end where it is negative, -1 is the last; 0: the embeddings")
        .min(-1000)
        .max(1000);
    table.add("aligner.tau", s.options.tau, "how much a word's weight may not be carried: large, and all is").min(1e-6);
    table
        .add("aligner.threshold", s.options.threshold,
             "links are what has more than this of a pair's plan, which is scaled to 0-1")
        .min(0)
        .max(1);
    table.add("aligner.epsilon", s.options.epsilon, "weight of the plan's entropy").min(1e-4);
    table
        .add("aligner.distortion", s.options.distortion,
             "share of likeness that words at opposite ends of their texts lose; 0: none do")
        .min(0)
        .max(1);
    table.add("aligner.centred", s.options.centred, "take the mean of all tokens' states off each word's");
    table
        .add("aligner.centre_from", s.centre_from,
             "{\"id\",\"source\",\"candidates\":[...]} a line, whose mean that is; empty: of the pairs aligned together")
        .input()
        .needs({"aligner.centred", {"true"}});
    table.add("aligner.batch_tokens", s.options.batch_tokens, "tokens computed at a time").min(1).not_identity();
    for (Option& option : table.added_since(before)) option.needs("aligner.encoder");
}

std::unique_ptr<WordAligner> open_word_alignment(const WordAlignmentSettings& settings, const CommonOptions& common) {
    if (settings.encoder.empty()) return nullptr;
    const Placement place = open_placement(common);
    auto aligner = open_word_aligner(settings.encoder, settings.options, place.dtype, place.device);
    if (!settings.centre_from.empty()) aligner->set_mean(aligner->mean_of(candidate_pairs(settings.centre_from)));
    return aligner;
}

Json word_alignment_record(const WordAlignmentSettings& settings) {
    if (settings.encoder.empty()) return nullptr;
    const WordAlignerOptions& o = settings.options;
    Json centre = nullptr;
    if (o.centred) centre = settings.centre_from.empty() ? Json("pairs") : Json(file_hash(settings.centre_from));
    return {{"encoder", file_hash(settings.encoder)},
            {"layer", o.layer},
            {"tau", o.tau},
            {"threshold", o.threshold},
            {"epsilon", o.epsilon},
            {"distortion", o.distortion},
            {"centre", centre}};
}

}  // namespace craft
