#include "align/align_inputs.h"

#include <set>
#include <utility>

#include "align/instruction_sets.h"
#include "core/error.h"
#include "core/rng.h"
#include "core/utf8.h"
#include "data/constraints/source_texts.h"
#include "eval/cord_eval.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// Texts held out for evaluation: by a stable hash of the id, so that more texts move none from one set to another.
std::vector<SourceText> take_tenth(std::vector<SourceText>& texts, uint64_t which) {
    std::vector<SourceText> taken, rest;
    for (auto& text : texts) (stable_hash(text.id, 10) % 10 == which ? taken : rest).push_back(std::move(text));
    texts = std::move(rest);
    return taken;
}

}  // namespace

AlignInputs read_align_inputs(const AlignInputOptions& o, const JsonLinesOptions& lines) {
    AlignInputs inputs;
    inputs.texts = read_source_texts(o.texts, "", lines);
    if (!o.dev.empty()) inputs.dev = read_instructions(o.dev.string(), lines);
    if (!o.selection.empty()) inputs.selection = read_instructions(o.selection.string(), lines);
    std::set<std::string> reported;
    for (const Instruction& instruction : inputs.dev) reported.insert(instruction.id);
    for (const Instruction& instruction : inputs.selection)
        if (reported.contains(instruction.id))
            throw UsageError("--dev and --selection: expected different instructions in each, got '" +
                             shortened(instruction.id, 80) + "' in both");
    return inputs;
}

void make_evaluation_sets(AlignInputs& inputs, const AlignInputOptions& o, RevisionEnvironment& environment,
                          const fs::path& folder) {
    const auto texts_for = [&](const std::string& name, uint64_t tenth) {
        std::vector<SourceText> texts = take_tenth(inputs.texts, tenth);
        if (texts.empty())
            throw Error(o.texts, "enough texts to hold out a tenth for the " + name + " set", "too few",
                        "give --" + name + " FILE, or more texts");
        return texts;
    };
    const auto make = [&](const std::vector<SourceText>& texts, const std::string& name, int64_t count, Split split) {
        return evaluation_set(environment, texts, name, {1, 2, 3}, count, split, folder);
    };
    std::vector<SourceText> dev, selection;  // both held out before anything is made
    if (o.dev.empty()) dev = texts_for("dev", 0);
    if (o.selection.empty()) selection = texts_for("selection", 1);
    if (inputs.texts.empty()) throw Error(o.texts, "training texts left after the held-out split", "none");
    if (o.dev.empty()) inputs.dev = make(dev, "dev", o.dev_count, Split::dev);
    if (o.selection.empty()) inputs.selection = make(selection, "selection", o.selection_count, Split::train);
}

}  // namespace craft
