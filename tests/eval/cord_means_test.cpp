// The means of CORD's released outputs and planners, as tables show them.
#include <gtest/gtest.h>

#include "core/json.h"
#include "eval/cord_eval.h"
#include "eval/tool_eval.h"
#include "tests/reference.h"

namespace craft {
namespace {

std::string domain_of(const std::string& file) {
    return file.substr(file.rfind(".jsonl") - 2, 2);  // "cord/released_gpt_4o_c2.jsonl"
}

TEST(CordMeans, AreThoseOfTheReference) {
    CRAFT_REFERENCE_FILE(oracle, "oracles/cord.jsonl");
    CRAFT_REFERENCE_FILE(data, "data");
    JsonLinesReader rows(oracle.string());
    int accuracies = 0, planners = 0;
    while (const auto row = rows.next()) {
        const std::string file = row->at("inputs").at("file").at("file");
        const Json& expected = row->at("expected");
        const std::string path = (data / file).string(), domain = domain_of(file);
        if (row->at("metric") == "cord_released_means") {
            const auto outputs = read_revised_texts(path);
            const auto items = read_instructions((data / ("cord/" + domain + ".jsonl")).string());
            const Json result = to_json(evaluate_cord(items, outputs, Scoring::published));
            EXPECT_NEAR(result.at("corpus").at("accuracy").get<double>(),
                        expected.at("published_accuracy_mean").get<double>(), 1e-9);
            EXPECT_EQ(result.at("corpus").at("items"), expected.at("items"));
            ++accuracies;
        } else {
            const auto items = read_tool_items(path);
            for (const auto& [planner, mean] : expected.at("planner_f1_mean").items()) {
                const auto evaluation = evaluate_tools(items, recorded_calls(items, planner), ToolReading::published);
                EXPECT_NEAR(evaluation.overall.f1.value_or(-1), mean.get<double>(), 1e-9) << file << " " << planner;
                EXPECT_EQ(evaluation.overall.items, expected.at("planner_items").at(planner));
                ++planners;
            }
        }
    }
    EXPECT_EQ(accuracies, 4);
    EXPECT_EQ(planners, 32);
}

}  // namespace
}  // namespace craft
