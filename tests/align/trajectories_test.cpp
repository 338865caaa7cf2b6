#include "align/trajectories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "core/files.h"
#include "core/partial_rows.h"
#include "data/tool_usage.h"
#include "rollout/responder.h"
#include "rollout/rules_reviser.h"
#include "tests/core/temporary_folder.h"
#include "tests/rollout/rules/rules_fixture.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

Instruction instruction(int64_t number) {
    Instruction made;
    made.id = "i" + std::to_string(number);
    made.domain = 1;
    made.instruction = "Avoid 'mill':";
    made.text = "The mill was built in " + std::to_string(1800 + number) + ". Agnes bought it. It is quiet now.";
    made.gold = {{KeywordKeepRemovalCheck{"mill", false}}};
    return made;
}

std::function<std::optional<Instruction>()> instructions(int64_t count) {
    return [count, next = int64_t{0}]() mutable -> std::optional<Instruction> {
        return next < count ? std::optional(instruction(next++)) : std::nullopt;
    };
}

// The rules teacher, but for every fifth instruction a wrong call and for the next a missing one; can be told to break down.
class Teacher : public Responder {
public:
    std::vector<Reply> respond(const std::vector<StepRequest>& asks) override {
        std::vector<Reply> replies = rules_.respond(asks);
        for (size_t i = 0; i < asks.size(); ++i) {
            const std::string& id = asks[i].history->instruction.id;
            asked_of.insert(id);
            const int64_t number = std::stoll(id.substr(1));
            if (number >= breaks_at) throw Error("the teacher broke down");
            PlannerResponse response = parse_response(replies[i].text);
            if (number % 5 == 3) response.tools += "\nword_count_check(9, \"equal\")";
            if (number % 5 == 4) response.tools = "text_eval()";
            replies[i].text = print_response(response);
        }
        return replies;
    }
    std::string name() const override { return "test"; }
    int64_t breaks_at = 1000000;
    std::set<std::string> asked_of;

private:
    TeacherResponder rules_{RulesTeacher(shipped_rules(), teacher_wordings())};
};

struct Workplace {
    Teacher teacher;
    RulesReviser reviser{shipped_rules()};
    Judge judge{RewardOptions{}, {}};
    Session session{teacher,
                    reviser,
                    judge,
                    PromptTemplate("{instruction}\n{text}"),
                    WordingTable::load(kShare / "prompts" / "feedback.json"),
                    SessionOptions{}};
};

// One instruction after the other.
SynthesisReport synthesise_with(Session& session, const std::function<std::optional<Instruction>()>& next,
                                const fs::path& folder, const SynthesisOptions& options = {}) {
    UnrecordedAsking asking({.items_at_once = 1});
    return synthesise(
               next, [&](const Instruction& one) { return session.run({one}).at(0); }, asking, folder, options)
        .value();
}

SynthesisReport make(const fs::path& folder, int64_t count, int64_t breaks_at = 1000000) {
    Workplace place;
    place.teacher.breaks_at = breaks_at;
    return synthesise_with(place.session, instructions(count), folder, {.store = {.segment_trajectories = 3}});
}

std::string all_bytes(const fs::path& folder) {
    std::string bytes = read_file(folder / "store.json");
    for (const StoreSegment& segment : read_store_index(folder).segments) bytes += read_file(folder / segment.file);
    return bytes;
}

}  // namespace

TEST(Trajectories, WrongOnesAreDroppedAndCounted) {
    const TemporaryFolder folder;
    const SynthesisReport report = make(folder.path(), 23);
    EXPECT_EQ(report.instructions, 23);
    EXPECT_EQ(report.trajectories, 15);
    EXPECT_THAT(report.dropped,
                ::testing::ElementsAre(::testing::Pair("missing call", 4), ::testing::Pair("wrong call", 4)));
    EXPECT_GE(report.responses.responses, 23) << "those of dropped trajectories count too";
    EXPECT_EQ(report.responses.exact, report.responses.responses) << "wrong calls are in their form";
    EXPECT_GE(report.responses.calls, 2 * 15);
    StoreReader store(folder.path());
    ASSERT_EQ(store.size(), 15);
    while (const auto trajectory = store.next()) {
        EXPECT_EQ(tool_usage_problem(*trajectory), "");
        EXPECT_FALSE(trajectory->steps.empty());
        EXPECT_TRUE(parse_response(trajectory->steps[0].response).well_formed);
    }
}

// Those of which the teacher has all calls are of c1, the other four of c2.
TEST(Trajectories, DomainsOfWhichNoneIsKeptAreTold) {
    const TemporaryFolder folder;
    Workplace place;
    const auto made = [&] {
        const auto next = [number = int64_t{0}]() mutable -> std::optional<Instruction> {
            if (number == 11) return std::nullopt;
            Instruction one = instruction(number++);
            one.domain = number == 11 ? 4 : number % 5 == 4 || number % 5 == 0 ? 2 : 1;
            return one;
        };
        return synthesise_with(place.session, next, folder.path());
    };
    for (const char* const when : {"made", "read again"}) {
        const SynthesisReport report = made();
        EXPECT_EQ(report.instructions, 11) << when;
        EXPECT_THAT(report.kept_by_domain, ::testing::ElementsAre(::testing::Pair("c1", 6), ::testing::Pair("c2", 0)))
            << when;
        EXPECT_THAT(domains_without_any(report),
                    ::testing::ElementsAre("domain c2: none of 4 trajectories was kept (dropped: 2 \"missing call\", 2 "
                                           "\"wrong call\")"))
            << when;
    }
    EXPECT_THAT(domains_without_any(make(folder.path() / "c1", 10)), ::testing::IsEmpty());
}

TEST(Trajectories, OnesWithoutARevisionAreDropped) {
    // Its answer is of no use for every text of 1801.
    class Broken : public RulesReviser {
    public:
        using RulesReviser::RulesReviser;
        std::vector<Revised> revise(const std::vector<RevisionRequest>& requests) override {
            std::vector<Revised> revised = RulesReviser::revise(requests);
            for (size_t i = 0; i < requests.size(); ++i)
                if (requests[i].original.find("1801") != std::string::npos) revised[i] = {requests[i].text, "echo"};
            return revised;
        }
    } reviser(shipped_rules());
    const TemporaryFolder folder;
    Workplace place;
    Session session(place.teacher, reviser, place.judge, PromptTemplate("{instruction}\n{text}"),
                    WordingTable::load(kShare / "prompts" / "feedback.json"), {});
    const SynthesisReport report = synthesise_with(session, instructions(3), folder.path());
    EXPECT_EQ(report.trajectories, 2);
    EXPECT_THAT(report.dropped, ::testing::ElementsAre(::testing::Pair("unusable: echo", 1)));
}

TEST(Trajectories, OnesThatWereCutAreDropped) {
    class Cutting : public Responder {
    public:
        std::vector<Reply> respond(const std::vector<StepRequest>& asks) override {
            std::vector<Reply> replies = rules_.respond(asks);
            for (size_t i = 0; i < asks.size(); ++i)
                if (asks[i].history->instruction.id == "i1") replies[i].status = Reply::Status::cut;
            return replies;
        }
        std::string name() const override { return "cutting"; }

    private:
        TeacherResponder rules_{RulesTeacher(shipped_rules(), teacher_wordings())};
    } teacher;
    const TemporaryFolder folder;
    Workplace place;
    Session session(teacher, place.reviser, place.judge, PromptTemplate("{instruction}\n{text}"),
                    WordingTable::load(kShare / "prompts" / "feedback.json"), {});
    const SynthesisReport report = synthesise_with(session, instructions(3), folder.path());
    EXPECT_EQ(report.trajectories, 2);
    EXPECT_THAT(report.dropped, ::testing::ElementsAre(::testing::Pair("cut", 1)));
    EXPECT_EQ(report.responses.cut, 1);
}

TEST(Trajectories, C4IsKeptOutOfTraining) {
    const TemporaryFolder folder;
    Workplace place;
    int64_t next = 0;
    const auto most_of_c4 = [&]() -> std::optional<Instruction> {
        if (next == 5) return std::nullopt;
        Instruction made = instruction(next);
        if (next == 1) made.domain = 4;
        if (next == 2) made.gold.resize(4, made.gold[0]);  // and calls itself c1
        if (next == 4) made.domain = 7;
        ++next;
        return made;
    };
    const SynthesisReport report = synthesise_with(place.session, most_of_c4, folder.path(), {.keep_wrong_calls = true});
    EXPECT_EQ(report.instructions, 5);
    EXPECT_EQ(report.trajectories, 2);
    EXPECT_EQ(place.teacher.asked_of, (std::set<std::string>{"i0", "i3"})) << "the teacher was asked for what is not stored";
    EXPECT_THAT(report.dropped, ::testing::ElementsAre(::testing::Pair("c4 is for evaluation only", 3)));
    StoreReader stored(folder.path());
    EXPECT_EQ(stored.next()->instruction.id, "i0");
    EXPECT_EQ(stored.next()->instruction.id, "i3");
}

TEST(Trajectories, AStoppedRunEndsWithTheSameBytes) {
    const TemporaryFolder folder;
    const SynthesisReport whole = make(folder.path() / "whole", 23);
    for (const int64_t breaks_at : {0, 7, 9, 16, 22}) {
        EXPECT_THROW(make(folder.path() / "parts", 23, breaks_at), Error) << breaks_at;
        EXPECT_EQ(PartialRows::of_stage(folder.path() / "parts" / "trajectories").earlier(), breaks_at);
    }
    const SynthesisReport parts = make(folder.path() / "parts", 23);
    EXPECT_EQ(parts.dropped, whole.dropped);
    EXPECT_EQ(parts.kept_by_domain, whole.kept_by_domain);
    EXPECT_EQ(parts.responses, whole.responses);
    EXPECT_EQ(all_bytes(folder.path() / "parts"), all_bytes(folder.path() / "whole"));
    const SynthesisReport again = make(folder.path() / "parts", 23, 0);  // finished: the teacher is not asked
    EXPECT_EQ(again.dropped, whole.dropped);
    EXPECT_EQ(again.trajectories, 15);
    EXPECT_FALSE(fs::exists(folder.path() / "parts" / "trajectories.partial"));
}

// Killed while the store was being written, when all rows were there.
TEST(Trajectories, AStoreThatWasBegunGoesOnBehindWhatItHas) {
    const TemporaryFolder folder;
    make(folder.path() / "whole", 23);
    EXPECT_THROW(make(folder.path() / "parts", 23, 22), Error);
    {
        StoreWriter store(folder.path() / "parts", {.segment_trajectories = 3});
        StoreReader whole(folder.path() / "whole");
        for (int64_t i = 0; i < 3; ++i) store.append(*whole.next(), {{"instructions", i + 1}, {"dropped", Json::object()}});
    }
    const SynthesisReport parts = make(folder.path() / "parts", 23);
    EXPECT_EQ(parts.instructions, 23);
    EXPECT_EQ(parts.trajectories, 15);
}

TEST(Trajectories, NothingToMakeIsAnError) {
    const TemporaryFolder folder;
    EXPECT_EQ(message_of([&] { make(folder.path() / "a", 0); }),
              "instructions: expected at least one instruction, got none");
    Workplace place;
    auto wrong = [sent = false]() mutable -> std::optional<Instruction> {
        return std::exchange(sent, true) ? std::nullopt : std::optional(instruction(3));
    };
    EXPECT_EQ(message_of([&] { synthesise_with(place.session, wrong, folder.path() / "b"); }),
              "trajectories: expected some with the gold calls in every step, got none of 1 (dropped: 1 \"wrong call\") "
              "(does the teacher know the tools?)");
    const auto hint_for = [&](const std::string& problem) {
        const RunSession unusable = [&](const Instruction& asked) {
            Trajectory made;
            made.instruction = asked;
            made.steps.emplace_back();
            made.steps[0].unusable = problem;
            made.steps[0].finished = false;
            return made;
        };
        UnrecordedAsking asking({});
        const std::string line = message_of([&] {
            synthesise(instructions(1), unusable, asking, folder.path() / problem, {.limit = "cut at 9 tokens: allow more"});
        });
        return line.substr(line.rfind('('));
    };
    EXPECT_EQ(hint_for("cut"), "(cut at 9 tokens: allow more)");
    EXPECT_EQ(hint_for("server_error"), "(see the warnings for why there was no answer)");
    auto of_c4 = [sent = false]() mutable -> std::optional<Instruction> {
        if (std::exchange(sent, true)) return std::nullopt;
        Instruction made = instruction(3);
        made.domain = 4;
        return made;
    };
    EXPECT_EQ(
        message_of([&] { synthesise_with(place.session, of_c4, folder.path() / "c"); }),
        "trajectories: expected some with the gold calls in every step, got none of 1 (dropped: 1 \"c4 is for evaluation "
        "only\") (instructions of c0 to c3 are for training)");
}

TEST(Trajectories, FewerInstructionsThanBeforeIsAnError) {
    const TemporaryFolder folder;
    {
        StoreWriter store(folder.path());
        store.append({}, {{"instructions", 4}, {"dropped", Json::object()}});
        store.keep();
    }
    EXPECT_EQ(message_of([&] { make(folder.path(), 3); }),
              "instructions: expected those that the store was started with, got fewer");
}

}  // namespace craft
