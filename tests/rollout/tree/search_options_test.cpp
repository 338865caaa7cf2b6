#include "rollout/tree/search_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace craft {
namespace {

TEST(SearchOptions, DefaultsAreThePapers) {  // CRAFT App. D.6; the patience is ours
    const SearchOptions options;
    EXPECT_TRUE(search_problems(options).empty());
    EXPECT_EQ(to_json(options).dump(), R"({"children":3,"depth":6,"iterations":30,"patience":5,"explore":0.2,"leaves":1,)"
                                       R"("use_quality":true,"use_constraints":true})");
}

TEST(SearchOptions, NamesEachFieldThatCannotBe) {
    SearchOptions options;
    options.children = options.depth = options.iterations = options.leaves = 0;
    options.patience = -1;
    options.explore = std::numeric_limits<double>::infinity();
    options.use_quality = options.use_constraints = false;
    std::vector<std::string> fields;
    for (const FieldProblem& problem : search_problems(options)) fields.push_back(problem.field);
    EXPECT_THAT(fields,
                testing::ElementsAre("children", "depth", "iterations", "patience", "explore", "leaves", "use_quality"));
    options = {};
    options.depth = 1001;
    EXPECT_EQ(search_problems(options).size(), 1u);
    options.depth = 1000;
    options.patience = 0;
    options.explore = 0;
    EXPECT_TRUE(search_problems(options).empty());
}

TEST(SearchOptions, JsonAndBack) {
    SearchOptions options{4, 2, 9, 0, 1.25, 3, false, true};
    EXPECT_EQ(search_options_from_json(to_json(options), "here"), options);
    Json object = to_json(options);
    object["children"] = 2.5;
    EXPECT_THAT([&] { search_options_from_json(object, "here"); },
                testing::ThrowsMessage<Error>("here: field 'children': expected a whole number, got 2.5"));
    object = to_json(options);
    object["leaves"] = 0;
    EXPECT_THAT([&] { search_options_from_json(object, "here"); },
                testing::ThrowsMessage<Error>("here: field 'leaves': expected at least 1"));
    object = to_json(options);
    object["temperature"] = 1;
    EXPECT_THAT([&] { search_options_from_json(object, "here"); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("temperature")));
    object = to_json(options);
    object.erase("patience");
    EXPECT_THAT([&] { search_options_from_json(object, "here"); },
                testing::ThrowsMessage<Error>("here: field 'patience': expected a value, got none"));
}

}  // namespace
}  // namespace craft
