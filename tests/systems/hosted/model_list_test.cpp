#include "systems/hosted/model_list.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

Json said(const std::string& list, const std::string& model = "any") {
    return reported_model(list, model);
}

// What llama-server says: the file, and figures of what is in it; it answers whatever name it is asked by.
TEST(ModelList, TheOnlyModelIsTheOneThatAnswers) {
    const auto list = [](const std::string& id, int64_t parameters, int64_t window) {
        return Json({{"object", "list"},
                     {"data",
                      {{{"id", id},
                        {"object", "model"},
                        {"created", 1700000000 + window},
                        {"meta",
                         {{"n_params", parameters}, {"n_vocab", 32000}, {"n_ctx_train", 4096}, {"n_ctx", window}}}}}}})
            .dump();
    };
    EXPECT_EQ(said(list("a.gguf", 7, 512)).dump(), R"({"id":"a.gguf","meta":{"n_params":7,"n_vocab":32000}})");
    EXPECT_EQ(said(list("a.gguf", 7, 512)), said(list("a.gguf", 7, 8192))) << "another window is no other model";
    EXPECT_NE(said(list("a.gguf", 7, 512)), said(list("b.gguf", 7, 512)));
    EXPECT_NE(said(list("a.gguf", 7, 512)), said(list("a.gguf", 8, 512))) << "another file under the same alias";
}

TEST(ModelList, OfSeveralTheOneThatIsAskedForCounts) {
    const std::string list = R"({"data": [{"id": "base", "root": "/m/base", "parent": null, "created": 5},
                                          {"id": "tuned", "root": "/m/lora", "parent": "base", "permission": []}]})";
    EXPECT_EQ(said(list, "tuned").dump(), R"({"id":"tuned","root":"/m/lora","parent":"base"})");
    EXPECT_EQ(said(list, "base").dump(), R"({"id":"base","root":"/m/base"})");
    EXPECT_TRUE(said(list, "another").is_null()) << "which of the two answers is not known";
}

TEST(ModelList, WhatIsNoListSaysNothing) {
    for (const char* none : {"", "<html>", "[]", "{}", R"({"data": 7})", R"({"data": []})", R"({"data": ["a"]})",
                             R"({"choices": [{"message": {"content": "x"}}]})"})
        EXPECT_TRUE(said(none).is_null()) << none;
    EXPECT_EQ(said(R"({"data": [{"id": 7, "meta": "x", "root": ["y"]}]})").dump(), R"({"id":7})");
    const std::string longest(300, 'x');
    EXPECT_EQ(said(R"({"data": [{"id": ")" + longest + "\"}]}")["id"].get<std::string>().size(), 32u);
}

}  // namespace
}  // namespace craft
