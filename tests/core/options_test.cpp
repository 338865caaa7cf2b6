#include "core/options.h"

#include <gmock/gmock.h>

#include "core/error.h"
#include "temporary_folder.h"

namespace craft {
namespace {

enum class Form { sigmoid, hinge };

struct TestOptions {
    double lr = 2e-4;
    int64_t steps = 100;
    uint64_t seed = 1;
    bool full = false;
    std::string name = "base";
    std::filesystem::path model;
    std::vector<std::string> domains = {"c0", "c1"};
    std::vector<int64_t> counts;
    std::optional<double> clip = 1.0;
    Form form = Form::sigmoid;
    std::vector<Form> forms = {Form::hinge};
};

struct BoundTable {
    BoundTable() {
        table_.add("train.lr", o_.lr, "peak learning rate").flag("--lr").min(0).max(1);
        table_.add("train.steps", o_.steps, "optimiser steps").flag("--steps").min(1);
        table_.add("train.full", o_.full, "train all weights").flag("--full");
        table_.add("train.clip", o_.clip, "gradient norm; none: off");
        table_.add("seed", o_.seed, "seed").flag("--seed");
        table_.add("name", o_.name, "name").one_of({"base", "large"});
        table_.add("model", o_.model, "model folder").flag("--model").required();
        table_.add("data.domains", o_.domains, "domains").flag("--domain").one_of({"c0", "c1", "c2"});
        table_.add("data.counts", o_.counts, "how many of each").min(0).not_identity();
        table_.add_enum("loss.form", o_.form, {{"sigmoid", Form::sigmoid}, {"hinge", Form::hinge}}, "form").flag("--form");
        table_.add_enums("loss.forms", o_.forms, {{"sigmoid", Form::sigmoid}, {"hinge", Form::hinge}}, "forms").filled();
    }
    std::vector<std::string> problems() {
        try {
            table_.finish();
        } catch (const UsageError& error) {
            return error.problems();
        }
        return {};
    }
    TestOptions o_;
    OptionTable table_;
};

class Options : public ::testing::Test, protected BoundTable {
protected:
    TemporaryFolder folder_;
};

TEST_F(Options, NamesInAListBecomeTheirValues) {
    EXPECT_EQ(table_.find("loss.forms")->current(), Json({"hinge"}));
    table_.apply_set("loss.forms=sigmoid,hinge,sigmoid");
    EXPECT_EQ(o_.forms, (std::vector{Form::sigmoid, Form::hinge, Form::sigmoid}));
    EXPECT_EQ(table_.find("loss.forms")->current(), Json({"sigmoid", "hinge", "sigmoid"}));
    table_.apply_file(folder_.file("c.json", R"({"loss.forms": ["hinge"], "model": "m"})"));
    EXPECT_EQ(o_.forms, std::vector{Form::hinge});
    EXPECT_TRUE(problems().empty());
}

TEST_F(Options, AListThatMustBeFilledTakesNoEmptyOneAndNoUnknownName) {
    table_.apply_set("model=m");
    table_.apply_set("loss.forms=[]");
    table_.apply_set("loss.forms=hinge,relu");
    EXPECT_EQ(problems(),
              (std::vector<std::string>{"--set loss.forms: expected at least one of sigmoid, hinge, got none",
                                        "--set loss.forms: in the list: expected one of sigmoid, hinge, got 'relu'"}));
}

TEST_F(Options, LayersOverlayEachOther) {
    const std::string file = folder_.file("c.json", R"({
        // comments are fine
        "train": {"lr": 0.1, "steps": 7}, "loss.form": "hinge", "model": "m", "data": {"domains": ["c2"]}})");
    table_.apply_file(file);
    table_.apply_set("train.steps=8");
    table_.apply_set("train.lr=0.2");
    table_.apply_flag("train.lr", "0.3");
    EXPECT_EQ(problems(), std::vector<std::string>{});
    EXPECT_DOUBLE_EQ(o_.lr, 0.3);
    EXPECT_EQ(o_.steps, 8);
    EXPECT_EQ(o_.form, Form::hinge);
    EXPECT_EQ(o_.domains, std::vector<std::string>{"c2"});
    EXPECT_EQ(table_.find("train.lr")->source, "--lr");
    EXPECT_EQ(table_.find("train.steps")->source, "--set");
    EXPECT_EQ(table_.find("loss.form")->source, file);
    EXPECT_EQ(table_.find("seed")->source, "default");
}

TEST_F(Options, AFileMayEndInACommaWhereMoreMayFollow) {
    table_.apply_file(folder_.file("c.json", R"({
        "name": "large", // ,}
        "train": {"steps": 7, /* , */ }, "model": "a,]\",}", "data": {"domains": ["c2", "c1" , ]
    ,},})"));
    EXPECT_EQ(problems(), std::vector<std::string>{});
    EXPECT_EQ(o_.steps, 7);
    EXPECT_EQ(o_.domains, (std::vector<std::string>{"c2", "c1"}));
    EXPECT_EQ(table_.find("model")->current(), "a,]\",}");
}

TEST_F(Options, CommasThatFollowNoValueAreErrors) {
    table_.apply_flag("model", "m");
    for (const char* text : {"{,}", "{\"data.domains\": [,]}", "{\"data.domains\": [\"c1\",,]}", "{\"train.steps\":,}",
                             "{\"train.steps\": 1,", "{\"train.steps\": 1} /*", "{\"name\": \"large"})
        table_.apply_file(folder_.file("c.json", text));
    EXPECT_EQ(problems().size(), 7u);
}

TEST_F(Options, LinesOfErrorsStayBehindALastComma) {
    table_.apply_flag("model", "m");
    table_.apply_file(folder_.file("c.json", "{\"data.domains\": [\"c1\",\n],\n\"train.steps\": seven\n}"));
    ASSERT_EQ(problems().size(), 1u);
    EXPECT_NE(problems()[0].find("line 3"), std::string::npos) << problems()[0];
}

TEST_F(Options, AllProblemsAreReportedAtOnce) {
    const std::string file =
        folder_.file("c.json", R"({"train": {"lrr": 1, "lr": "x"}, "lr": 1, "zzzzzz": {}, "name": "huge"})");
    table_.apply_file(file);
    table_.apply_file("/nowhere.json");
    table_.apply_set("train.steps=0");
    table_.apply_set("train.step=1");
    table_.apply_set("nonsense");
    table_.apply_flag("train.lr", "2");
    table_.apply_flag("data.domains", "c0,c9");
    table_.apply_flag("loss.form", "hing");
    table_.apply_flag("seed", "-1");
    const std::vector<std::string> expected = {
        file + ": unknown key 'train.lrr'; did you mean 'train.lr'?",
        file + ": train.lr: expected a number, got 'x'",
        file + ": unknown key 'lr'; did you mean 'train.lr'?",
        file + ": unknown key 'zzzzzz' (--help lists the known ones)",
        file + ": name: expected one of base, large, got 'huge'",
        "/nowhere.json: cannot read: No such file or directory",
        "--set train.steps: expected at least 1, got 0",
        "--set: unknown key 'train.step'; did you mean 'train.steps'?",
        "--set: expected KEY=VALUE, got 'nonsense'",
        "--lr: expected at most 1, got 2",
        "--domain: in the list: expected one of c0, c1, c2, got 'c9'; did you mean 'c0'?",
        "--form: expected one of sigmoid, hinge, got 'hing'; did you mean 'hinge'?",
        "--seed: expected an integer from 0 to 18446744073709551615, got -1",
        "missing --model: model folder",
    };
    EXPECT_EQ(problems(), expected);
}

TEST_F(Options, TextIsReadByTheTypeOfItsTarget) {
    table_.apply_set("train.lr=.5");
    table_.apply_set("train.steps=1e3");
    table_.apply_set("train.full=yes");
    table_.apply_set("train.clip=none");
    table_.apply_set("data.counts=1,2,3");
    table_.apply_set("data.domains=[\"c1\"]");
    table_.apply_set("model=a=b");
    table_.apply_set("seed=18446744073709551615");
    EXPECT_EQ(problems(), std::vector<std::string>{});
    EXPECT_DOUBLE_EQ(o_.lr, 0.5);
    EXPECT_EQ(o_.steps, 1000);
    EXPECT_TRUE(o_.full);
    EXPECT_EQ(o_.clip, std::nullopt);
    EXPECT_EQ(o_.counts, (std::vector<int64_t>{1, 2, 3}));
    EXPECT_EQ(o_.domains, std::vector<std::string>{"c1"});
    EXPECT_EQ(o_.model, "a=b");
    EXPECT_EQ(o_.seed, UINT64_MAX);
}

TEST_F(Options, WrongTextLeavesTheValueAndIsAProblem) {
    for (const char* wrong :
         {"train.lr=1x", "train.lr=", "train.lr=nan", "train.lr=inf", "train.steps=1.5", "train.steps=1e30",
          "train.full=maybe", "data.counts=1,x", "data.counts=[1", "train.clip=x", "seed=1e300"}) {
        const size_t before = table_.problems().size();
        table_.apply_set(wrong);
        EXPECT_EQ(table_.problems().size(), before + 1) << wrong;
    }
    EXPECT_DOUBLE_EQ(o_.lr, 2e-4);
    EXPECT_EQ(o_.steps, 100);
    EXPECT_EQ(o_.clip, 1.0);
}

TEST_F(Options, FileTypesAreStrict) {
    table_.apply_file(
        folder_.file("c.json", R"({"model": 3, "train": {"full": 1, "steps": "7", "clip": null}, "data.domains": "c0",
                                                 "seed": 2.0})"));
    EXPECT_EQ(table_.problems().size(), 4u) << "a number for a text, 1 for true, a text for an integer, a text for a list";
    EXPECT_EQ(o_.clip, std::nullopt);
    EXPECT_EQ(o_.seed, 2u);
}

TEST_F(Options, BaseIsOverlaid) {
    folder_.file("base.json", R"({"train": {"lr": 0.1, "steps": 5}, "name": "large"})");
    folder_.file("middle.json", R"({"base": "base.json", "train.steps": 6})");
    const std::string file =
        folder_.file("presets/top.json", R"({"base": "../middle.json", "train": {"lr": 0.9}, "model": "m"})");
    table_.apply_file(file);
    EXPECT_EQ(problems(), std::vector<std::string>{});
    EXPECT_DOUBLE_EQ(o_.lr, 0.9);
    EXPECT_EQ(o_.steps, 6);
    EXPECT_EQ(o_.name, "large");
}

TEST_F(Options, WhatOneFileGivesTwiceIsAProblem) {
    const std::string file = folder_.file("twice.json", R"({"train": {"lr": 0.1, "lr": 0.2}, "seed": 1, "model": "m",
                                                            "train.steps": 2, "train.steps": 2, "data": {"counts": [1]},
                                                            "data.counts": [2], "name": "large", "seed": 1})");
    table_.apply_file(file);
    EXPECT_THAT(table_.problems(), testing::UnorderedElementsAre(testing::StartsWith(file + ": train.lr: given twice"),
                                                                 testing::StartsWith(file + ": train.steps: given twice"),
                                                                 testing::StartsWith(file + ": seed: given twice"),
                                                                 testing::StartsWith(file + ": data.counts: given twice")));
}

TEST_F(Options, AnObjectThatStandsTwiceIsAProblem) {
    const std::string file = folder_.file("twice.json", R"({"train": {"lr": 0.1}, "name": "base", "train": {"steps": 3}})");
    table_.apply_file(file);
    EXPECT_THAT(table_.problems(), testing::ElementsAre(testing::StartsWith(file + ": train: given twice")));
}

TEST_F(Options, CyclesOfBasesAreAnError) {
    folder_.file("a.json", R"({"base": "b.json"})");
    folder_.file("b.json", R"({"base": "./a.json"})");
    table_.apply_file(folder_.path() / "a.json");
    ASSERT_EQ(table_.problems().size(), 1u);
    EXPECT_NE(table_.problems()[0].find("is circular: a.json -> b.json -> a.json"), std::string::npos);
}

TEST_F(Options, RequiredIntegersMustBeGivenToo) {
    int64_t count = 0;
    table_.add("count", count, "how many").flag("--count").required();
    table_.apply_flag("model", "m");
    EXPECT_EQ(problems(), std::vector<std::string>{"missing --count: how many"});
}

TEST_F(Options, DumpedConfigurationReadsBackTheSame) {
    table_.apply_flag("train.lr", "0.1");
    table_.apply_set("data.counts=3,1");
    table_.apply_flag("model", "folder with \"quotes\"");
    const std::string dump = table_.provenance();
    EXPECT_NE(dump.find("\"lr\": 0.1,  // from --lr\n"), std::string::npos) << dump;
    EXPECT_NE(dump.find("\"steps\": 100,  // default\n"), std::string::npos) << dump;
    EXPECT_NE(dump.find("\"counts\": [3,1]  // from --set\n"), std::string::npos) << dump;

    BoundTable other;
    other.table_.apply_file(folder_.file("dump.json", dump));
    EXPECT_EQ(other.problems(), std::vector<std::string>{});
    EXPECT_EQ(other.table_.resolved(), table_.resolved());
}

// A dumped configuration holds every option: what it leaves at the default counts as not given.
TEST_F(Options, GivenIsWhatAFileChangesAndEveryFlag) {
    const auto given = [&](const std::string& key) { return table_.find(key)->is_given; };
    EXPECT_FALSE(given("train.lr"));
    table_.apply_file(folder_.file("c.json", R"({
        "train": {"lr": 2e-4, "steps": 7, "clip": 1, "full": false},
        "data": {"domains": ["c0", "c1"], "counts": [1]}, "loss.form": "sigmoid"})"));
    for (const char* key : {"train.lr", "train.clip", "train.full", "data.domains", "loss.form"})
        EXPECT_FALSE(given(key)) << key;
    EXPECT_TRUE(given("train.steps"));
    EXPECT_TRUE(given("data.counts"));
    table_.apply_set("train.full=false");
    table_.apply_flag("train.lr", "2e-4");
    EXPECT_TRUE(given("train.full"));
    EXPECT_TRUE(given("train.lr"));
}

TEST_F(Options, WhatIsMissingIsAProblemWhereItIsAskedFor) {
    table_.add_missing("one of --a and --b");
    EXPECT_NO_THROW(table_.finish(/*check_required=*/false));
    EXPECT_EQ(problems(), (std::vector<std::string>{"missing --model: model folder", "one of --a and --b"}));
}

TEST_F(Options, IdentityLeavesOutWhatDoesNotMatter) {
    EXPECT_TRUE(table_.resolved()["data"].contains("counts"));
    EXPECT_FALSE(table_.identity().contains("--set data.counts"));
    EXPECT_TRUE(table_.identity().contains("--domain"));
}

// Where results go is no part of what they are; files that are read count by what they hold (core/run_manifest.h).
TEST_F(Options, IdentityKnowsFilesByTheirContent) {
    std::string input = "i.jsonl", output = "o.jsonl", report, cache = "c";
    std::filesystem::path trees = "trees";
    OptionTable table;
    table.add("input", input, "read").flag("--input").input();
    table.add("output", output, "written").flag("--output").output();
    table.add("report", report, "written").flag("--report").output();
    table.add("cache", cache, "grows").flag("--cache").managed();
    table.add("tree", trees, "filled").flag("--tree").output_folder();
    EXPECT_EQ(table.identity(), Json({{"--input", {{"content_of", "i.jsonl"}}}, {"--tree", true}}));
    trees = "";
    EXPECT_EQ(table.identity()["--tree"], false);
}

class ObjectOptions : public ::testing::Test {
protected:
    ObjectOptions() {
        table_.add("seed", seed_, "seed");
        table_.add("openai", openai_, "profiles").checked([](const Json& value) -> std::string {
            return value.contains("bad") ? "expected no profile 'bad'" : "";
        });
    }
    TemporaryFolder folder_;
    int64_t seed_ = 1;
    Json openai_ = Json::object();
    OptionTable table_;
};

TEST_F(ObjectOptions, LayersMergeKeyByKey) {
    folder_.file("base.json", R"({"openai": {"gpt": {"model": "a", "limits": {"requests": 5, "tokens": 6}}}})");
    table_.apply_file(folder_.file(
        "top.json", R"({"base": "base.json", "openai": {"gpt": {"limits": {"requests": 7}}}, "openai.own.model": "b"})"));
    table_.apply_set("openai.gpt.model=c");
    table_.apply_set("openai.gpt.limits.tokens=8");
    table_.apply_set("openai.gpt.headers={\"X-A\": \"1\"}");
    table_.apply_set(R"(openai={"third": {"supports_n": true}})");
    EXPECT_EQ(table_.problems(), std::vector<std::string>{});
    EXPECT_EQ(openai_, Json::parse(R"({
        "gpt": {"model": "c", "limits": {"requests": 7, "tokens": 8}, "headers": {"X-A": "1"}},
        "own": {"model": "b"}, "third": {"supports_n": true}})"));
    EXPECT_EQ(table_.resolved()["openai"], openai_);
    EXPECT_TRUE(table_.find("openai")->is_given);
    table_.apply_set("openai.gpt.limits=null");
    EXPECT_FALSE(openai_["gpt"].contains("limits"));
}

TEST_F(ObjectOptions, ANameWithADotIsFoundWhereALayerHasIt) {
    table_.apply_file(folder_.file("c.json", R"({"openai": {"gpt-4.1": {"model": "a"}}})"));
    table_.apply_set("openai.gpt-4.1.model=b");
    EXPECT_EQ(openai_, Json::parse(R"({"gpt-4.1": {"model": "b"}})"));
}

TEST_F(ObjectOptions, WhatIsWrongIsAProblem) {
    const std::string file = folder_.file("c.json", R"({"openai": {"a": {"model": "x"}}, "openai.a.model": "y"})");
    table_.apply_file(file);
    table_.apply_set("openai=7");
    table_.apply_set("openai.bad.model=7");
    table_.apply_set("opena.bad=7");
    EXPECT_EQ(table_.problems(),
              (std::vector<std::string>{file + ": openai.a.model: given twice; one of them would have no effect",
                                        "--set openai: expected an object, got 7",
                                        "--set openai.bad.model: expected no profile 'bad'",
                                        "--set: unknown key 'opena.bad' (--help lists the known ones)"}));
}

TEST_F(ObjectOptions, WhatIsPrintedReadsBackTheSameAndSaysWhereEachValueCameFrom) {
    const std::string file =
        folder_.file("c.json", R"({"openai": {"gpt-4.1": {"model": "y", "stop": ["a", "b"], "e": {}}}})");
    table_.apply_file(file);
    table_.apply_set("openai.gpt-4.1.model=x");
    const Json before = openai_;
    const std::string printed = table_.provenance();
    EXPECT_THAT(printed, testing::HasSubstr("\"stop\": [\"a\",\"b\"],  // from " + file));
    EXPECT_THAT(printed, testing::HasSubstr("\"model\": \"x\",  // from --set"));
    openai_ = Json::object();
    table_.apply_file(folder_.file("again.json", printed));
    EXPECT_EQ(table_.problems(), std::vector<std::string>{});
    EXPECT_EQ(openai_, before);
}

TEST_F(Options, ClashingKeysAreALogicError) {
    double x = 0;
    EXPECT_THROW(table_.add("train.lr", x, ""), std::logic_error);
    EXPECT_THROW(table_.add("train", x, ""), std::logic_error);
    EXPECT_THROW(table_.add("train.lr.peak", x, ""), std::logic_error);
}

TEST_F(Options, AFormerKeyIsCalledByItsPresentName) {
    table_.find("train.steps")->was("train.updates").was("--updates");
    table_.apply_set("train.updates=7");
    const std::string file = folder_.file("c.json", R"({"train": {"updates": 7}})");
    table_.apply_file(file);
    EXPECT_EQ(table_.problems(), (std::vector<std::string>{"--set: 'train.updates' is called 'train.steps' now",
                                                           file + ": 'train.updates' is called 'train.steps' now"}));
    EXPECT_EQ(table_.renamed("--updates"), "'--updates' is called '--steps' now");
    EXPECT_EQ(table_.renamed("train.lr"), "");
    EXPECT_EQ(o_.steps, 100);
}

}  // namespace
}  // namespace craft
