#include "eval/results/instruction_tables.h"

#include <array>
#include <map>

#include "text/words.h"

namespace craft {

namespace {

// In the paper's words, by SubType.
constexpr std::array<const char*, kSubTypes> kSubTypeTitles = {"Keep Sentence",  "Modify Sentence",     "Word Count",
                                                               "Sentence Count", "Per Sentence Length", "Include Keyword",
                                                               "Remove Keyword", "Keyword Frequency"};

struct DomainSize {
    int64_t texts = 0, sentences = 0, words = 0;
};

std::vector<int64_t> counted_sub_types(const NamedInstructions& set) {
    std::vector<int64_t> counts(kSubTypes + 1);  // the last are none of the 19 shapes
    for (const Instruction& instruction : set.instructions) {
        for (const auto& calls : instruction.gold) {
            const auto constraint = constraint_from_calls(calls);
            ++counts[constraint ? static_cast<size_t>(sub_type(constraint->shape)) : counts.size() - 1];
        }
    }
    return counts;
}

}  // namespace

Table domain_table(const std::vector<NamedInstructions>& sets, SentenceRule sentences) {
    Table table;
    table.corner = "Domain";
    table.columns = {{"#Essays"}, {"#Sentences"}, {"#Tokens"}};
    table.decimals = 0;
    table.is_ranked = false;
    for (const NamedInstructions& set : sets) {
        std::map<int, DomainSize> sizes;
        for (const Instruction& instruction : set.instructions) {
            DomainSize& size = sizes[instruction.domain];
            ++size.texts;
            size.sentences += static_cast<int64_t>(sentence_views(instruction.text, sentences).size());
            size.words += count_whitespace_words(instruction.text);
        }
        for (const auto& [domain, size] : sizes) {
            const std::string name = "C" + std::to_string(domain);
            table.rows.push_back(
                {sets.size() == 1 ? name : set.name + " " + name,
                 {static_cast<double>(size.texts), static_cast<double>(size.sentences), static_cast<double>(size.words)}});
        }
    }
    return table;
}

Table sub_type_table(const std::vector<NamedInstructions>& sets) {
    Table table;
    table.corner = "Constraint Type";
    table.decimals = 0;
    table.is_ranked = false;
    std::vector<std::vector<int64_t>> counts;
    int64_t others = 0;
    for (const NamedInstructions& set : sets) {
        table.columns.push_back({set.name});
        counts.push_back(counted_sub_types(set));
        others += counts.back().back();
    }
    TableRow total{"Total", std::vector<std::optional<double>>(sets.size(), 0)};
    for (size_t type = 0; type <= kSubTypes; ++type) {
        TableRow row{type < kSubTypes ? kSubTypeTitles.at(type) : "None of these", {}};
        for (size_t set = 0; set < sets.size(); ++set) {
            const auto count = static_cast<double>(counts[set][type]);
            row.cells.emplace_back(count);
            *total.cells[set] += count;
        }
        if (type < kSubTypes || others > 0) table.rows.push_back(std::move(row));
    }
    table.rows.push_back(std::move(total));
    return table;
}

}  // namespace craft
