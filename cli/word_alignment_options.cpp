#include "cli/word_alignment_options.h"

#include "cli/common.h"

namespace craft {

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

}  // namespace craft
