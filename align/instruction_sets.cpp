#include "align/instruction_sets.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <tuple>

#include "align/stage_rows.h"
#include "core/log.h"
#include "data/constraints/sealed_sets.h"
#include "text/words.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kInstructionsFile = "instructions.jsonl";

// From their stage, or made and stored there if there are any.
std::vector<Instruction> stored_instructions(const Stage& stage,
                                             const std::function<GeneratorReport(const EmitInstruction&)>& generate) {
    if (stage.complete()) return read_rows<Instruction>(stage, kInstructionsFile, instruction_from_json);
    std::vector<Instruction> instructions;
    const GeneratorReport report =
        generate([&](Instruction&& made, const std::string&) { instructions.push_back(std::move(made)); });
    if (!instructions.empty())
        complete_with(stage, kInstructionsFile, instructions,
                      {{"shapes", report.shapes},
                       {"dropped", report.dropped},
                       {"violated_by_unrevised_text", report.violated_share()}});
    return instructions;
}

FreeReviser reviser_of(const RevisionEnvironment& environment) {
    return [&environment](const std::string& text, Rng& rng) { return environment.free_revision(text, rng); };
}

struct WholeTestSet {
    std::vector<std::pair<Instruction, std::string>> rows;  // with the revisions that prove them
    GeneratorReport report;
};

// Made once in a process: it takes seconds, whatever part is wanted.
const WholeTestSet& whole_test_set(const RevisionEnvironment& environment) {
    static std::mutex mutex;
    static std::map<SentenceRule, WholeTestSet> made;
    const std::lock_guard lock(mutex);
    auto found = made.find(environment.sentences());
    if (found == made.end()) {
        WholeTestSet whole;
        whole.report = make_sealed_set(test_set(), test_set().instructions, environment.sentences(), reviser_of(environment),
                                       [&](Instruction&& instruction, const std::string& revision) {
                                           whole.rows.emplace_back(std::move(instruction), revision);
                                       });
        found = made.emplace(environment.sentences(), std::move(whole)).first;
    }
    return found->second;
}

// Places of `count` instructions, in their order: domains in turn, of each the one with the shortest text that is left.
std::vector<size_t> shortest_of_each_domain(const std::vector<std::pair<Instruction, std::string>>& all, int64_t count) {
    std::map<int, std::vector<std::pair<size_t, size_t>>> by_domain;  // words of the text, place
    for (size_t i = 0; i < all.size(); ++i)
        by_domain[all[i].first.domain].emplace_back(whitespace_words(all[i].first.text).size(), i);
    std::vector<std::tuple<size_t, int, size_t>> turns;  // turn, domain, place
    for (auto& [domain, places] : by_domain) {
        std::sort(places.begin(), places.end());
        for (size_t turn = 0; turn < places.size(); ++turn) turns.emplace_back(turn, domain, places[turn].second);
    }
    std::sort(turns.begin(), turns.end());
    turns.resize(std::min(turns.size(), static_cast<size_t>(count)));
    std::vector<size_t> chosen;
    for (const auto& [turn, domain, place] : turns) chosen.push_back(place);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

}  // namespace

std::vector<Instruction> instructions_stage(RevisionEnvironment& environment, const std::vector<SourceText>& texts,
                                            const GeneratorOptions& options, const fs::path& folder,
                                            std::map<std::string, int64_t>* dropped) {
    const Stage stage(folder);
    auto instructions = stored_instructions(stage, [&](const EmitInstruction& emit) {
        return generate_instructions(texts, reviser_of(environment), environment.wordings(), options, emit);
    });
    if (instructions.empty())
        throw Error(folder.string(), "texts that instructions can be made for", "none of " + std::to_string(texts.size()),
                    "texts need a few sentences each");
    if (dropped != nullptr) {
        const auto counts = stage.read_summary([](const Json& summary) { return counts_of(summary, "dropped"); });
        for (const auto& [reason, count] : counts) (*dropped)[reason] += count;
    }
    return instructions;
}

std::vector<Instruction> sealed_test_set(RevisionEnvironment& environment, int64_t count, const fs::path& folder) {
    auto made = stored_instructions(Stage(folder), [&](const EmitInstruction& emit) {
        const WholeTestSet& whole = whole_test_set(environment);
        for (const size_t i : shortest_of_each_domain(whole.rows, count))
            emit(Instruction(whole.rows[i].first), whole.rows[i].second);
        return whole.report;
    });
    if (static_cast<int64_t>(made.size()) < count)
        log_warning("fewer sealed instructions than requested", {{"asked", count}, {"made", made.size()}});
    return made;
}

std::vector<Instruction> evaluation_set(RevisionEnvironment& environment, const std::vector<SourceText>& texts,
                                        const std::string& name, const std::vector<int>& domains, int64_t count, Split split,
                                        const fs::path& folder, int64_t per_text) {
    GeneratorOptions generator;
    generator.domains = domains;
    generator.count = count;
    generator.per_text = per_text;
    generator.stage = name;
    generator.split = split;
    generator.mix = mix_even_over_shapes();
    generator.sentences = environment.sentences();
    auto made = instructions_stage(environment, texts, generator, folder / "instructions" / name);
    if (static_cast<int64_t>(made.size()) < count)
        log_warning("fewer instructions than requested", {{"set", name}, {"asked", count}, {"made", made.size()}});
    return made;
}

}  // namespace craft
