#include "align/align_inputs.h"

#include <set>
#include <utility>

#include "align/instruction_sets.h"
#include "core/error.h"
#include "core/files.h"
#include "core/id_index.h"
#include "core/rng.h"
#include "core/rows.h"
#include "core/utf8.h"
#include "data/constraints/rewriting.h"
#include "data/constraints/source_texts.h"
#include "data/tool_usage.h"
#include "eval/cord_eval.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// Held out for evaluation: by a stable hash of what `key` says, so that more of them move none from one set to another.
template <class T, class Key>
std::vector<T> take_tenth(std::vector<T>& all, uint64_t which, const Key& key) {
    std::vector<T> taken, rest;
    for (auto& one : all) (stable_hash(key(one), 10) % 10 == which ? taken : rest).push_back(std::move(one));
    all = std::move(rest);
    return taken;
}

[[noreturn]] void throw_too_few(const std::string& file, const std::string& what, const std::string& name) {
    throw Error(file, "enough " + what + " to hold out a tenth for the " + name + " set", "too few",
                "give --" + name + " FILE, or more " + what);
}

// A bad line names what is wrong with the row; C4 is no bad line, and is counted.
std::vector<Instruction> read_ready(const std::string& file, const JsonLinesOptions& lines, SentenceRule sentences,
                                    std::map<std::string, int64_t>& dropped) {
    const ReadingVocabulary vocabulary = ReadingVocabulary::load(share_folder() / "prompts" / "rewriter_reading.json");
    std::vector<Instruction> ready;
    IdIndex ids;
    for_each_row(file, lines, [&](const Json& row, const std::string& where) {
        Instruction instruction = instruction_from_json(row, where);
        if (const std::string problem = gold_problem(instruction, vocabulary, sentences); !problem.empty())
            throw Error(where + ": " + problem);
        if (is_for_evaluation_only(instruction)) {
            ++dropped[kEvaluationOnly];
            return;
        }
        ids.add(instruction.id, ready.size(), where);
        ready.push_back(std::move(instruction));
    });
    if (ready.empty()) throw Error(file, "instructions of c0 to c3", "only evaluation instructions");
    return ready;
}

void expect_disjoint(const std::vector<Instruction>& some, const char* flag, const std::vector<Instruction>& others,
                     const char* other_flag) {
    std::set<std::string> ids;
    for (const Instruction& instruction : some) ids.insert(instruction.id);
    for (const Instruction& instruction : others)
        if (ids.contains(instruction.id))
            throw UsageError(std::string(flag) + " and " + other_flag + ": expected different instructions in each, got '" +
                             shortened(instruction.id, 80) + "' in both");
}

// A tenth of the texts of the ready instructions each.
void hold_out_ready(AlignInputs& inputs, const AlignInputOptions& o) {
    const auto held_out = [&](const std::string& name, uint64_t tenth, int64_t count) {
        std::vector<Instruction> taken =
            take_tenth(inputs.ready, tenth, [](const Instruction& one) { return std::string_view(one.text); });
        if (taken.empty()) throw_too_few(o.instructions.string(), "instructions", name);
        if (static_cast<int64_t>(taken.size()) > count) taken.resize(static_cast<size_t>(count));
        return taken;
    };
    if (o.dev.empty()) inputs.dev = held_out("dev", 0, o.dev_count);
    if (o.selection.empty()) inputs.selection = held_out("selection", 1, o.selection_count);
    if (inputs.ready.empty())
        throw Error(o.instructions.string(), "instructions left for training after the held-out split", "none");
}

}  // namespace

AlignInputs read_align_inputs(const AlignInputOptions& o, const JsonLinesOptions& lines, SentenceRule sentences,
                              std::map<std::string, int64_t>& dropped) {
    AlignInputs inputs;
    if (o.instructions.empty())
        inputs.texts = read_source_texts(o.texts, o.revisions, lines);
    else
        inputs.ready = read_ready(o.instructions.string(), lines, sentences, dropped);
    if (!o.dev.empty()) inputs.dev = read_instructions(o.dev.string(), lines);
    if (!o.selection.empty()) inputs.selection = read_instructions(o.selection.string(), lines);
    expect_disjoint(inputs.dev, "--dev", inputs.selection, "--selection");
    expect_disjoint(inputs.ready, "--instructions", inputs.dev, "--dev");
    expect_disjoint(inputs.ready, "--instructions", inputs.selection, "--selection");
    return inputs;
}

void make_evaluation_sets(AlignInputs& inputs, const AlignInputOptions& o, RevisionEnvironment& environment,
                          const InstructionAuthors& authors, const fs::path& folder) {
    if (!inputs.ready.empty()) return hold_out_ready(inputs, o);
    const auto texts_for = [&](const std::string& name, uint64_t tenth) {
        std::vector<SourceText> texts =
            take_tenth(inputs.texts, tenth, [](const SourceText& text) { return std::string_view(text.id); });
        if (texts.empty()) throw_too_few(o.texts, "texts", name);
        return texts;
    };
    const auto make = [&](const std::vector<SourceText>& texts, const std::string& name, int64_t count, Split split) {
        return evaluation_set(environment, texts, name, {1, 2, 3}, count, split, folder, 1, authors);
    };
    std::vector<SourceText> dev, selection;  // both held out before anything is made
    if (o.dev.empty()) dev = texts_for("dev", 0);
    if (o.selection.empty()) selection = texts_for("selection", 1);
    if (inputs.texts.empty()) throw Error(o.texts, "training texts left after the held-out split", "none");
    if (o.dev.empty()) inputs.dev = make(dev, "dev", o.dev_count, Split::dev);
    if (o.selection.empty()) inputs.selection = make(selection, "selection", o.selection_count, Split::train);
}

}  // namespace craft
