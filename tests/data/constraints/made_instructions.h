// Instructions that the generator makes of made-up texts with a made-up reviser, and what it reports.
#pragma once

#include <array>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "data/constraints/generator.h"
#include "tests/data/constraints/toy_texts.h"
#include "tests/source.h"

namespace craft::test {

inline const Wordings& wordings() {
    static const Wordings loaded =
        Wordings::load(std::filesystem::path(test_source()) / "share" / "wordings" / "constraints.json");
    return loaded;
}

struct Made {
    std::vector<Instruction> instructions;
    std::vector<std::string> revisions;
    GeneratorReport report;

    int64_t dropped() const {
        return std::accumulate(report.dropped.begin(), report.dropped.end(), int64_t{0},
                               [](int64_t sum, const auto& reason) { return sum + reason.second; });
    }
};

inline Made make(const GeneratorOptions& options, const std::vector<SourceText>& texts = toy_texts(40),
                 const FreeReviser& revise = toy_revision) {
    Made made;
    made.report = generate_instructions(texts, revise, wordings(), options,
                                        [&](Instruction&& instruction, const std::string& revision) {
                                            made.instructions.push_back(std::move(instruction));
                                            made.revisions.push_back(revision);
                                        });
    return made;
}

inline std::array<double, kSubTypes> sub_type_shares(const GeneratorReport& report) {
    std::array<double, kSubTypes> shares{};
    for (const auto& [name, count] : report.shapes)
        shares[static_cast<size_t>(sub_type(shape_from_name(name)))] +=
            static_cast<double>(count) / static_cast<double>(report.constraints);
    return shares;
}

}  // namespace craft::test
