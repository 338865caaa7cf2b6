// Alignments as tests/parity/make_alignment.py wrote them, held against ours.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include "core/files.h"
#include "core/json.h"
#include "judge/scorers/transport_aligner.h"
#include "tests/source.h"

namespace craft::test {

// Plans within 1e-4, links the same.
inline void expect_stored_alignments(const std::string& file, const std::filesystem::path& encoder) {
    std::map<int64_t, std::vector<Json>> by_layer;
    std::istringstream lines(read_file(std::filesystem::path(test_source("/tests/judge/scorers/stored")) / file));
    for (std::string line; std::getline(lines, line);) {
        const Json row = Json::parse(line);
        by_layer[row.at("layer")].push_back(row);
    }
    ASSERT_EQ(by_layer.size(), 3u);
    for (const auto& [layer, rows] : by_layer) {
        std::vector<WordPair> pairs;
        for (const Json& row : rows) pairs.emplace_back(row.at("source"), row.at("candidate"));
        const auto found = open_word_aligner(encoder, {.layer = layer}, at::kFloat, at::kCPU)->transport(pairs);
        for (size_t i = 0; i < rows.size(); ++i) {
            const auto plan = rows[i].at("plan").get<std::vector<double>>();
            ASSERT_EQ(found[i].plan.values.size(), plan.size()) << layer << " " << i;
            double worst = 0;
            for (size_t n = 0; n < plan.size(); ++n) worst = std::max(worst, std::abs(found[i].plan.values[n] - plan[n]));
            EXPECT_LT(worst, 1e-4) << layer << " " << i;
            EXPECT_EQ(Json(found[i].alignment.links), rows[i].at("links")) << layer << " " << i;
        }
    }
}

}  // namespace craft::test
