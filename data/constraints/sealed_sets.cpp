#include "data/constraints/sealed_sets.h"

#include "core/error.h"
#include "core/files.h"
#include "data/constraints/source_texts.h"

namespace craft {

const SealedSet& test_set() {
    static const SealedSet set{"test", {0, 1, 2, 3, 4}, 300};
    return set;
}

const SealedSet& search_set() {
    static const SealedSet set{"search", {1, 2, 3}, 200};
    return set;
}

const std::vector<const SealedSet*>& sealed_sets() {
    static const std::vector<const SealedSet*> sets = {&test_set(), &search_set()};
    return sets;
}

GeneratorReport make_sealed_set(const SealedSet& set, int64_t count, SentenceRule sentences, const FreeReviser& revise,
                                const EmitInstruction& emit) {
    if (count > set.instructions)
        throw Error("sealed set " + set.name, "at most " + std::to_string(set.instructions) + " instructions",
                    std::to_string(count));
    GeneratorOptions options;
    options.domains = set.domains;
    options.count = count;
    options.stage = set.name;  // with the options' own seed: that of a run changes nothing
    options.split = Split::sealed;
    options.mix = mix_even_over_shapes();
    options.sentences = sentences;
    const auto texts = read_source_texts((share_folder() / "texts" / (set.name + ".jsonl")).string(), "", {});
    const Wordings wordings = Wordings::load_sealed(share_folder() / "wordings" / "sealed.json");
    return generate_instructions(texts, revise, wordings, options, emit);
}

}  // namespace craft
