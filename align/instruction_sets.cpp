#include "align/instruction_sets.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>
#include <tuple>

#include "align/stage_rows.h"
#include "core/log.h"
#include "core/rng.h"
#include "data/constraints/sealed_sets.h"
#include "text/words.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kInstructionsFile = "instructions.jsonl";

// From their stage, or made and stored there if there are any.
InstructionSet stored_instructions(const Stage& stage,
                                   const std::function<InstructionMakingReport(const EmitInstruction&)>& make) {
    if (stage.complete()) {
        InstructionSet stored{read_rows<Instruction>(stage, kInstructionsFile, instruction_from_json), {}, {}};
        stored.dropped = stage.read_summary([](const Json& summary) { return counts_of(summary, "dropped"); });
        stored.counted = stage.read_summary(
            [](const Json& summary) { return summary.value("counted", std::map<std::string, int64_t>()); });
        return stored;
    }
    InstructionSet set;
    const InstructionMakingReport report =
        make([&](Instruction&& made, const std::string&) { set.instructions.push_back(std::move(made)); });
    set.dropped = report.generated.dropped;
    set.counted = report.counted();
    if (!set.instructions.empty())
        complete_with(stage, kInstructionsFile, set.instructions,
                      {{"shapes", report.generated.shapes},
                       {"dropped", set.dropped},
                       {"counted", set.counted},
                       {"violated_by_unrevised_text", report.generated.violated_share()}});
    return set;
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

InstructionSet instructions_stage(RevisionEnvironment& environment, const std::vector<SourceText>& texts,
                                  const GeneratorOptions& options, const fs::path& folder,
                                  const InstructionAuthors& authors) {
    InstructionSet set = stored_instructions(Stage(folder), [&](const EmitInstruction& emit) {
        const InstructionMakingReport report =
            make_instructions(texts, reviser_of(environment), environment.wordings(), options, authors, emit);
        if (report.rewriting)
            report.rewriting->answers().require_any("answers of --rewriter", "docs/rewriting.md says what the reasons mean");
        return report;
    });
    if (set.instructions.empty())
        throw Error(folder.string(), "texts that instructions can be made for", "none of " + std::to_string(texts.size()),
                    "texts need a few sentences each");
    return set;
}

InstructionSet ready_instructions_stage(const std::vector<Instruction>& ready, int64_t count, int64_t round, uint64_t seed,
                                        const fs::path& folder) {
    return stored_instructions(Stage(folder), [&](const EmitInstruction& emit) {
        const auto size = static_cast<int64_t>(ready.size()), taken = std::min(count, size);
        if (taken < count) log_warning("fewer instructions than a round asks for", {{"asked", count}, {"ready", size}});
        std::vector<size_t> order;
        std::set<size_t> given;  // of two orders, one may end with what the other begins with
        for (int64_t place = (round - 1) * taken; static_cast<int64_t>(given.size()) < taken; ++place) {
            if (order.empty() || place % size == 0) {
                order.resize(ready.size());
                std::iota(order.begin(), order.end(), size_t{0});
                Rng(seed, "ready instructions", static_cast<uint64_t>(place / size)).shuffle(order);
            }
            const size_t next = order[static_cast<size_t>(place % size)];
            if (given.insert(next).second) emit(Instruction(ready[next]), "");
        }
        return InstructionMakingReport();
    });
}

std::vector<Instruction> sealed_test_set(RevisionEnvironment& environment, int64_t count, const fs::path& folder) {
    auto made = stored_instructions(Stage(folder), [&](const EmitInstruction& emit) {
                    const WholeTestSet& whole = whole_test_set(environment);
                    for (const size_t i : shortest_of_each_domain(whole.rows, count))
                        emit(Instruction(whole.rows[i].first), whole.rows[i].second);
                    return InstructionMakingReport{whole.report, {}, {}};
                }).instructions;
    if (static_cast<int64_t>(made.size()) < count)
        log_warning("fewer sealed instructions than requested", {{"asked", count}, {"made", made.size()}});
    return made;
}

std::vector<Instruction> evaluation_set(RevisionEnvironment& environment, const std::vector<SourceText>& texts,
                                        const std::string& name, const std::vector<int>& domains, int64_t count, Split split,
                                        const fs::path& folder, int64_t per_text, const InstructionAuthors& authors) {
    GeneratorOptions generator;
    generator.domains = domains;
    generator.count = count;
    generator.per_text = per_text;
    generator.stage = name;
    generator.split = split;
    generator.mix = mix_even_over_shapes();
    generator.sentences = environment.sentences();
    auto made = instructions_stage(environment, texts, generator, folder / "instructions" / name, authors).instructions;
    if (static_cast<int64_t>(made.size()) < count)
        log_warning("fewer instructions than requested", {{"set", name}, {"asked", count}, {"made", made.size()}});
    return made;
}

}  // namespace craft
