#include "cli/word_alignment_options.h"

#include "cli/common.h"

namespace craft {

void bind_word_alignment(OptionTable& table, WordAlignmentSettings& s) {
    bind_model(table, "aligner.encoder", s.encoder,
               "encoder (BERT) that aligns the words of sources and candidates for judges; none: no alignments")
        .flag("--aligner");
    const size_t before = table.options().size();
    table
        .add("aligner.layer", s.options.layer,
             "layer whose states are compared; negative: from the end, -1: the last; 0: the embeddings")
        .min(-1000)
        .max(1000);
    table.add("aligner.tau", s.options.tau, "cost of weight that is not transported; large: all is").min(1e-6);
    table.add("aligner.threshold", s.options.threshold, "minimum share of a pair's plan, scaled to 0-1, for a link")
        .min(0)
        .max(1);
    table.add("aligner.epsilon", s.options.epsilon, "weight of the plan's entropy").min(1e-4);
    table
        .add("aligner.distortion", s.options.distortion,
             "share of similarity that words at opposite ends of their texts lose; 0: none")
        .min(0)
        .max(1);
    table.add("aligner.centred", s.options.centred, "subtract the mean of all tokens' states from each word's");
    table
        .add("aligner.centre_from", s.centre_from,
             "{\"id\",\"source\",\"candidates\":[...]} per line, to compute that mean from; empty: the pairs aligned "
             "together")
        .input()
        .needs({"aligner.centred", {"true"}});
    table.add("aligner.batch_tokens", s.options.batch_tokens, "tokens per batch").min(1).not_identity();
    for (Option& option : table.added_since(before)) option.needs("aligner.encoder");
}

}  // namespace craft
