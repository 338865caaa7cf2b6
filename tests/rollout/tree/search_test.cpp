#include "rollout/tree/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "rollout/tree/tree_json.h"
#include "tests/rollout/tree/search_example.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::ThrowsMessage;

using Leaves = std::vector<int64_t>;

SearchOptions options_with(int64_t children, int64_t depth, int64_t iterations, int64_t patience) {
    SearchOptions options;
    options.children = children;
    options.depth = depth;
    options.iterations = iterations;
    options.patience = patience;
    return options;
}

TEST(Search, TheExampleByHand) {  // leaf_choice_test.cpp has the arithmetic
    SearchTree tree("text", {}, options_with(3, 6, 6, 5));
    FunctionExpander expander = example_expander();
    const SearchResult result = search(tree, expander);
    EXPECT_THAT(expander.rounds, ElementsAre(Leaves{0}, Leaves{1}, Leaves{2}, Leaves{3}, Leaves{8}, Leaves{14}));
    EXPECT_EQ(result.best, 13);
    EXPECT_EQ(result.end, SearchEnd::iterations);
    EXPECT_EQ(result.counts, (SearchCounts{6, 14, 1, 3, 2}));
    EXPECT_THAT(result.best_by_iteration, ElementsAre(.5, 1, 1.25, 1.25, 2, 2));
}

// A text is a row of digits, and a step adds one. The best first step, 1, leads nowhere; 2 looks worse, and 232 is the best.
double worth_of_digits(const std::string& text) {
    if (text == "232") return 2;
    if (text == "23") return .55;
    if (text == "2") return .5;
    if (text == "1") return .6;
    return .1;
}

FunctionExpander digits_expander() {
    return FunctionExpander([](const Node& leaf, int64_t sample) {
        const std::string text = leaf.revision + std::to_string(sample + 1);
        return evaluated(text, worth_of_digits(text) / 2, worth_of_digits(text) / 2);
    });
}

TEST(Search, FindsWhatGreedyStepsMiss) {
    std::string greedy;
    double greedy_value = 0;
    for (int step = 0; step < 6; ++step) {
        std::string next = greedy + "1";
        for (const char* digit : {"2", "3"})
            if (worth_of_digits(greedy + digit) > worth_of_digits(next)) next = greedy + digit;
        greedy = next;
        greedy_value = std::max(greedy_value, worth_of_digits(greedy));
    }
    EXPECT_EQ(greedy_value, .6);

    SearchTree tree("", {}, {});
    FunctionExpander expander = digits_expander();
    const SearchResult result = search(tree, expander);
    ASSERT_TRUE(result.best);
    EXPECT_EQ(tree.node(*result.best).revision, "232");
    EXPECT_LT(result.counts.iterations, 15);
}

TEST(Search, EqualRewardsEndByPatienceAndTheEarliestIsTheBest) {
    SearchTree tree("text", {}, {});
    FunctionExpander expander([](const Node& leaf, int64_t sample) {
        return evaluated(std::to_string(leaf.id) + "/" + std::to_string(sample), .25, .25);
    });
    const SearchResult result = search(tree, expander);
    EXPECT_EQ(result.best, 1);
    EXPECT_EQ(result.end, SearchEnd::patience);
    EXPECT_EQ(result.counts.iterations, 6);           // the best was made in the first, and five have not raised it
    EXPECT_THAT(expander.rounds[1], ElementsAre(1));  // the first of equals
    EXPECT_THAT(result.best_by_iteration, ElementsAre(.5, .5, .5, .5, .5, .5));
}

TEST(Search, ARiseBeginsPatienceAnew) {
    SearchTree tree("text", {}, options_with(1, 100, 100, 3));
    // One child a step: rewards 0, 0, 1/64, 0 ... The rise is in the third iteration, three more follow.
    FunctionExpander expander(
        [](const Node& leaf, int64_t) { return evaluated(std::to_string(leaf.id), leaf.id == 2 ? 1. / 64 : 0, 0); });
    const SearchResult result = search(tree, expander);
    EXPECT_EQ(result.end, SearchEnd::patience);
    EXPECT_EQ(result.best, 3);
    EXPECT_EQ(result.counts.iterations, 6);
    EXPECT_THAT(result.best_by_iteration, ElementsAre(0, 0, 1. / 64, 1. / 64, 1. / 64, 1. / 64));
}

TEST(Search, PatienceOfNoneGoesOnToTheLastIteration) {
    SearchTree tree("text", {}, options_with(3, 6, 30, 0));
    FunctionExpander expander([](const Node& leaf, int64_t sample) {
        return evaluated(std::to_string(leaf.id) + "/" + std::to_string(sample), .5, .5);
    });
    const SearchResult result = search(tree, expander);
    EXPECT_EQ(result.end, SearchEnd::iterations);
    EXPECT_EQ(result.counts.iterations, 30);
    EXPECT_EQ(result.counts.evaluated, 90);
    for (const Node& node : tree.nodes()) EXPECT_LE(node.depth, 6);
}

TEST(Search, OneChildAStepGoesDownToTheDeepestLevel) {
    SearchTree tree("text", {}, options_with(1, 6, 30, 0));
    FunctionExpander expander([](const Node& leaf, int64_t) { return evaluated(std::to_string(leaf.id), 0, 0); });
    const SearchResult result = search(tree, expander);
    EXPECT_EQ(result.end, SearchEnd::nothing_left);
    EXPECT_EQ(result.counts, (SearchCounts{6, 6, 0, 0, 0}));
    EXPECT_EQ(result.best, 1);
    EXPECT_EQ(tree.nodes().back().depth, 6);
}

TEST(Search, NothingIsExpandedBelowTheHighestReward) {
    SearchTree tree("text", {}, options_with(3, 6, 30, 0));
    FunctionExpander expander([](const Node&, int64_t sample) { return evaluated(std::to_string(sample), 1, 1); });
    const SearchResult result = search(tree, expander);
    EXPECT_EQ(result.end, SearchEnd::nothing_left);
    EXPECT_EQ(result.counts, (SearchCounts{1, 3, 0, 0, 0}));
    EXPECT_EQ(result.best, 1);
}

TEST(Search, SaysThatEveryResponseFailed) {
    SearchTree tree("text", {}, {});
    FunctionExpander expander([](const Node&, int64_t) { return failed("server_error"); });
    const SearchResult result = search(tree, expander);
    EXPECT_EQ(result.best, std::nullopt);
    EXPECT_EQ(result.end, SearchEnd::nothing_left);
    EXPECT_EQ(result.counts, (SearchCounts{1, 0, 0, 3, 0}));
    EXPECT_THAT(result.best_by_iteration, ElementsAre(0));
}

TEST(Search, LeavesWhoseChildrenFailAreAskedOnce) {
    SearchTree tree("text", {}, options_with(3, 6, 30, 0));
    FunctionExpander expander([](const Node& leaf, int64_t sample) {
        return leaf.is_root() ? evaluated(std::to_string(sample), .5, .5) : failed("declined");
    });
    const SearchResult result = search(tree, expander);
    EXPECT_THAT(expander.rounds, ElementsAre(Leaves{0}, Leaves{1}, Leaves{2}, Leaves{3}));
    EXPECT_EQ(result.end, SearchEnd::nothing_left);
    EXPECT_EQ(result.best, 1);
    EXPECT_EQ(result.counts, (SearchCounts{4, 3, 0, 9, 2}));
}

TEST(Search, RoundsExpandSeveralLeavesAndNoMoreThanThereAreIterations) {
    SearchOptions options = options_with(3, 6, 7, 0);
    options.leaves = 4;
    SearchTree tree("text", {}, options);
    FunctionExpander expander([](const Node& leaf, int64_t sample) {
        return evaluated(std::to_string(leaf.id) + "/" + std::to_string(sample), .5, .5);
    });
    const SearchResult result = search(tree, expander);
    ASSERT_EQ(expander.rounds.size(), 3u);
    EXPECT_THAT(expander.rounds[0], ElementsAre(0));
    EXPECT_THAT(expander.rounds[1], ElementsAre(1, 2, 3));  // all that there are
    EXPECT_EQ(expander.rounds[2].size(), 3u);               // 7 - 1 - 3
    EXPECT_EQ(result.counts.iterations, 7);
}

TEST(Search, SaysWhyItEnded) {
    EXPECT_STREQ(search_end_name(SearchEnd::iterations), "iterations");
    EXPECT_STREQ(search_end_name(SearchEnd::patience), "patience");
    EXPECT_STREQ(search_end_name(SearchEnd::nothing_left), "nothing_left");
    EXPECT_EQ(search_end(SearchTree("text", {}, {})), std::nullopt);
    EXPECT_EQ(search_end(example_tree(5)), std::nullopt);
}

// Answers through threads that finish in another order than they were asked.
class ThreadedExpander : public Expander {
public:
    explicit ThreadedExpander(const RandomProblem& problem) : problem_(problem) {}
    std::vector<std::vector<ChildCandidate>> expand(const SearchTree&, const std::vector<int64_t>& leaves,
                                                    int64_t samples) override {
        std::vector<std::vector<ChildCandidate>> answers(leaves.size(),
                                                         std::vector<ChildCandidate>(static_cast<size_t>(samples)));
        std::vector<std::thread> threads;
        for (size_t i = leaves.size(); i-- > 0;)
            threads.emplace_back([&, i] {
                for (int64_t sample = samples; sample-- > 0;)
                    answers[i][static_cast<size_t>(sample)] = problem_.candidate(leaves[i], sample);
            });
        for (std::thread& thread : threads) thread.join();
        return answers;
    }

private:
    const RandomProblem& problem_;
};

TEST(Search, TheTreeDoesNotDependOnTheOrderOfAnswers) {
    for (uint64_t number = 0; number < 10; ++number) {
        RandomProblem problem(number);
        problem.options.leaves = 4;
        SearchTree in_order("text", {}, problem.options), threaded("text", {}, problem.options);
        FunctionExpander expander(problem.candidates());
        ThreadedExpander threads(problem);
        search(in_order, expander);
        search(threaded, threads);
        EXPECT_EQ(to_json(in_order).dump(), to_json(threaded).dump()) << "problem " << number;
    }
}

// Throws at its n-th call; what was found until then stays.
class FailingExpander : public FunctionExpander {
public:
    FailingExpander(const RandomProblem& problem, size_t calls) : FunctionExpander(problem.candidates()), left_(calls) {}
    std::vector<std::vector<ChildCandidate>> expand(const SearchTree& tree, const std::vector<int64_t>& leaves,
                                                    int64_t samples) override {
        if (left_-- == 0) throw Stopped(15);
        return FunctionExpander::expand(tree, leaves, samples);
    }

private:
    size_t left_;
};

TEST(Search, GoesOnFromWhereItWasStopped) {
    int64_t stops = 0;
    for (uint64_t number = 0; number < 30; ++number) {
        const RandomProblem problem(number);
        SearchTree whole("text", {}, problem.options);
        FunctionExpander expander(problem.candidates());
        const SearchResult expected = search(whole, expander);
        for (size_t calls = 0; calls < expander.rounds.size(); ++calls) {
            SearchTree stopped("text", {}, problem.options);
            FailingExpander failing(problem, calls);
            EXPECT_THROW(search(stopped, failing), Stopped);
            SearchTree read = search_tree_from_json(parse_json(to_json(stopped).dump(), "stored"), "stored");
            FunctionExpander rest(problem.candidates());
            const SearchResult result = search(read, rest);
            EXPECT_EQ(to_json(read).dump(), to_json(whole).dump()) << "problem " << number << ", stopped at call " << calls;
            EXPECT_EQ(result.best, expected.best);
            EXPECT_EQ(result.end, expected.end);
            EXPECT_EQ(rest.rounds.size() + calls, expander.rounds.size());
            ++stops;
        }
        FunctionExpander none(problem.candidates());  // a search that is over stays as it is
        search(whole, none);
        EXPECT_TRUE(none.rounds.empty());
    }
    EXPECT_GT(stops, 100);
}

// Answers something else than it was asked for.
class WrongExpander : public Expander {
public:
    explicit WrongExpander(std::vector<std::vector<ChildCandidate>> answers) : answers_(std::move(answers)) {}
    std::vector<std::vector<ChildCandidate>> expand(const SearchTree&, const std::vector<int64_t>&, int64_t) override {
        return answers_;
    }

private:
    std::vector<std::vector<ChildCandidate>> answers_;
};

TEST(Search, RefusesAnswersToOtherQuestionsAndKeepsTheTree) {
    const ChildCandidate good = evaluated("x", .5, .5);
    SearchOptions options = options_with(1, 6, 30, 5);
    options.leaves = 2;
    options.children = 2;
    SearchTree tree("text", {}, options);
    tree.add_children(0, {evaluated("a", .5, 0), evaluated("b", .5, 0)}, false);
    const std::string before = to_json(tree).dump();
    const auto refuses = [&](std::vector<std::vector<ChildCandidate>> answers, const std::string& message) {
        WrongExpander expander(std::move(answers));
        EXPECT_THAT([&] { search(tree, expander); }, ThrowsMessage<Error>(HasSubstr(message)));
        EXPECT_EQ(to_json(tree).dump(), before);
    };
    refuses({{good, good}}, "search: expanded leaves: expected 2, got 1");
    refuses({{good, good}, {good}}, "children of node 2: expected 2, got 1");
    refuses({{good, good}, {good, evaluated("y", 2, 0)}}, "children of node 2: R_g");
}

}  // namespace
}  // namespace craft
