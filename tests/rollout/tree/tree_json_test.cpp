#include "rollout/tree/tree_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/rollout/tree/search_example.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(TreeJson, HoldsEveryNode) {
    const Json object = to_json(example_tree(5));
    EXPECT_EQ(object["format"], 1);
    EXPECT_EQ(object["iterations"], 5);
    EXPECT_EQ(object["diverted"].dump(), "[5]");
    EXPECT_EQ(object["nodes"].size(), 15u);
    EXPECT_EQ(to_json(example_tree(1))["nodes"][0].dump(),
              R"({"id":0,"depth":0,"visits":3,"value":0.5,"revision":"text","payload":null})");
    EXPECT_EQ(object["nodes"][14].dump(),
              R"({"id":14,"parent":8,"depth":3,"iteration":5,"visits":1,"value":0.5,"r_g":0.5,"r_c":0.0,"reward":0.5,)"
              R"("merged":["second"],"revision":"bbb","payload":"first"})");
    EXPECT_EQ(object["nodes"][12].dump(),
              R"({"id":12,"parent":3,"depth":2,"iteration":4,"visits":0,"value":0.0,"failure":"timed_out","revision":"",)"
              R"("payload":null})");
}

TEST(TreeJson, AndBackWithoutLoss) {
    for (uint64_t number = 0; number < 50; ++number) {
        const RandomProblem problem(number);
        SearchTree tree("text", {{"prompt", number}}, problem.options);
        FunctionExpander expander(problem.candidates());
        search(tree, expander);
        const std::string text = to_json(tree).dump();
        const SearchTree read = search_tree_from_json(parse_json(text, "stored"), "stored");
        EXPECT_EQ(to_json(read).dump(), text) << "problem " << number;
        EXPECT_EQ(read.counts(), tree.counts());
        EXPECT_EQ(read.options(), tree.options());
        for (const Node& node : tree.nodes()) {
            EXPECT_EQ(read.node(node.id).total, node.total);  // to the last bit
            EXPECT_EQ(read.node(node.id).children, node.children);
        }
    }
}

// Of rewards that are no sums of powers of two, too: all are backed up in the same order again.
TEST(TreeJson, KeepsEveryBitOfAnyReward) {
    SearchTree tree("text", {}, {});
    FunctionExpander expander([](const Node& leaf, int64_t sample) {
        Rng rng(1, "any reward", static_cast<uint64_t>(leaf.id), static_cast<uint64_t>(sample));
        return evaluated(std::to_string(sample), rng.uniform(), rng.uniform());
    });
    search(tree, expander);
    const SearchTree read = search_tree_from_json(parse_json(to_json(tree).dump(), "stored"), "stored");
    for (const Node& node : tree.nodes()) EXPECT_EQ(read.node(node.id).total, node.total);
}

TEST(TreeJson, RefusesWhatNoSearchLeaves) {
    const Json whole = to_json(example_tree(5));
    search_tree_from_json(whole, "T");
    const auto refuses = [&](const std::string& message, const std::function<void(Json&)>& damage) {
        Json damaged = whole;
        damage(damaged);
        EXPECT_THAT([&] { search_tree_from_json(damaged, "T"); }, ThrowsMessage<Error>(HasSubstr(message))) << message;
    };
    refuses("T: expected an object, got array", [](Json& t) { t = Json::array(); });
    refuses("T: field 'format': expected 1, got 2", [](Json& t) { t["format"] = 2; });
    refuses("T: field 'nodes': expected a value, got none", [](Json& t) { t.erase("nodes"); });
    refuses("T: field 'nodes': expected at least the root, got none", [](Json& t) { t["nodes"] = Json::array(); });
    refuses("T: field 'best': expected a field of a search tree", [](Json& t) { t["best"] = 13; });
    refuses("T: options: field 'depth'", [](Json& t) { t["options"]["depth"] = 0; });
    refuses("T: field 'iterations': expected 5, got 6", [](Json& t) { t["iterations"] = 6; });
    refuses("T: field 'iterations': expected at most those of the options", [](Json& t) { t["options"]["iterations"] = 4; });
    refuses("T: field 'diverted'", [](Json& t) { t["diverted"] = {6}; });
    refuses("T: field 'diverted'", [](Json& t) { t["diverted"] = {5, 5}; });
    refuses("T: field 'diverted'", [](Json& t) { t["diverted"] = {5, 2}; });
    refuses("T: nodes[4]: field 'id': expected 4, got 5", [](Json& t) { t["nodes"][4]["id"] = 5; });
    refuses("T: nodes[4]: field 'depth': expected 2, got 3", [](Json& t) { t["nodes"][4]["depth"] = 3; });
    refuses("T: nodes[2]: field 'visits': expected 6, got 7", [](Json& t) { t["nodes"][2]["visits"] = 7; });
    refuses("T: nodes[2]: field 'value'", [](Json& t) { t["nodes"][2]["value"] = .5; });
    refuses("T: nodes[4]: field 'reward': expected 1.0, got 1.5", [](Json& t) { t["nodes"][4]["reward"] = 1.5; });
    refuses("T: nodes[0]: field 'parent': expected a field of a search tree", [](Json& t) { t["nodes"][0]["parent"] = 0; });
    refuses("T: nodes[4]: field 'iteration': expected 2, got 3", [](Json& t) { t["nodes"][4]["iteration"] = 3; });
    refuses("T: nodes[1]: field 'iteration': expected 1, got 0", [](Json& t) { t["nodes"][1]["iteration"] = 0; });
    refuses("T: nodes[5]: field 'parent': expected 1, got 2", [](Json& t) { t["nodes"][5]["parent"] = 2; });
    refuses("T: nodes[4]: search tree: expected a node that may be expanded, got node 4", [](Json& t) {
        for (size_t i : {4, 5, 6}) t["nodes"][i]["parent"] = 4;
    });
    refuses("T: nodes[7]: search tree: expected a node that may be expanded, got node 1", [](Json& t) {
        for (size_t i : {7, 8, 9}) t["nodes"][i]["parent"] = 1;
    });
    refuses("children of node 0: expected 3, got 2", [](Json& t) { t["nodes"].erase(3); });
    refuses("children of node 8: expected 3, got 2", [](Json& t) { t["nodes"][14]["merged"] = Json::array(); });
    refuses("T: nodes[1]: expected siblings with different revisions, got equal ones",
            [](Json& t) { t["nodes"][2]["revision"] = "a"; });
    refuses("R_c: expected a number from 0 to 1, got 1.5", [](Json& t) { t["nodes"][2]["r_c"] = 1.5; });
    refuses("T: nodes[2]: field 'r_g': expected a number, got null", [](Json& t) { t["nodes"][2]["r_g"] = nullptr; });
    refuses("T: nodes[2]: field 'r_g': expected a value, got none", [](Json& t) { t["nodes"][2].erase("r_g"); });
    refuses("T: nodes[12]: field 'failure': expected a reason, got none", [](Json& t) { t["nodes"][12]["failure"] = ""; });
    refuses("T: nodes[12]: field 'r_g': expected a field of a search tree", [](Json& t) { t["nodes"][12]["r_g"] = 0; });
    refuses("T: nodes[12]: field 'revision': expected a string", [](Json& t) { t["nodes"][12]["revision"] = 7; });
    refuses("T: nodes[14]: field 'merged': expected a list", [](Json& t) { t["nodes"][14]["merged"] = 1; });
    refuses("T: nodes[3]: expected an object, got string", [](Json& t) { t["nodes"][3] = "c"; });
}

// Whatever one field of a stored tree becomes, it is refused, or what is read says the same as the file.
TEST(TreeJson, EveryFieldCounts) {
    const Json whole = to_json(example_tree(5));
    const Json flat = whole.flatten();
    int64_t refused = 0, read = 0;
    for (const auto& entry : flat.items())
        for (const Json& other : std::vector<Json>{nullptr, true, -1, 2, 1e300, "x", Json::array(), Json::object()}) {
            Json damaged = whole;
            damaged[Json::json_pointer(entry.key())] = other;
            try {
                EXPECT_EQ(to_json(search_tree_from_json(damaged, "T")), damaged) << entry.key() << " " << other;
                ++read;
            } catch (const Error&) {
                ++refused;
            }
        }
    EXPECT_GT(refused, 1000);
    EXPECT_GT(read, 50);  // other texts and payloads
}

}  // namespace
}  // namespace craft
