#include "model/encoder/encoder.h"

#include <functional>

#include "core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/encoder/encoder_cases.h"
#include "tests/source.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

const fs::path kStored = test_source("/tests/model/encoders");

template <class F>
std::string refusal(const F& act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

void expect_says(const std::string& said, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_NE(said.find(part), std::string::npos) << part << " in: " << said;
}

// Folders that make_encoders.py made with CRAFT_PARITY_SMALL=1; states are of the order of 3, float32 sums of 24 products.
TEST(Encoder, StoredFoldersGiveWhatTransformersGave) {
    for (const std::string name : {"bert", "bert-score", "roberta", "bart"}) {
        EXPECT_LT(test::worst_difference(kStored / name), 1e-5) << name;
        EXPECT_LT(test::worst_padding(kStored / name), 1e-6) << name;
    }
}

// A bfloat16 holds 8 bits: each of the some ten roundings of a layer moves a state of up to 4 by up to 2^-7, mostly less.
TEST(Encoder, Bfloat16IsNear) {
    for (const std::string name : {"bert", "roberta"}) {
        const double worst = test::worst_difference(kStored / name, at::kBFloat16);
        EXPECT_LT(worst, 0.25) << name;
        EXPECT_GT(worst, 0) << name;
    }
}

struct BertRows : ::testing::Test {
    const Encoder bert = Encoder::load(kStored / "bert" / "model", at::kFloat, at::kCPU);
    const std::vector<int64_t> ids = {7, 8, 9, 10, 11, 12};
    at::Tensor hidden(const EncoderRow& row) const { return bert.hidden({row})[0]; }
};

TEST_F(BertRows, AHiddenTokenIsAsIfItWereNotThere) {
    // Attention alone knows other tokens: what the last ones hide cannot change the first.
    const at::Tensor shown = hidden({{7, 8, 9}});
    for (const int64_t other : {10, 30}) {
        const at::Tensor longer = hidden({{7, 8, 9, other}, {1, 1, 1, 0}});
        EXPECT_LT(test::apart(longer.narrow(0, 0, 3), shown), 1e-6);
    }
    const at::Tensor hole = hidden({ids, {1, 0, 1, 1, 0, 1}});
    std::vector<int64_t> others = ids;
    others[1] = 20;
    others[4] = 21;
    const at::Tensor other_hole = hidden({others, {1, 0, 1, 1, 0, 1}});
    for (const int64_t t : {0, 2, 3, 5}) EXPECT_LT(test::apart(hole[t], other_hole[t]), 1e-6);
    EXPECT_GT(test::apart(hole[1], other_hole[1]), 0.1) << "a hidden token has a state of its own";
    EXPECT_GT(test::apart(hole, hidden({ids})), 0.01);
}

TEST_F(BertRows, TypesArePerRow) {
    const EncoderRow plain{ids}, typed{ids, {}, {0, 0, 0, 1, 1, 1}};
    const std::vector<at::Tensor> both = bert.hidden({typed, plain});
    EXPECT_GT(test::apart(both[0], both[1]), 0.1);
    EXPECT_LT(test::apart(both[0], hidden(typed)), 1e-6);
    EXPECT_LT(test::apart(both[1], hidden({ids, {}, {0, 0, 0, 0, 0, 0}})), 1e-6);
}

TEST_F(BertRows, LayersCanBeForgotten) {
    Encoder shorter = bert;
    shorter.keep_layers(2);
    EXPECT_EQ(test::apart(shorter.hidden({{ids}})[0], hidden({ids})), 0) << "it has two";
    std::vector<at::Tensor> last;
    for (const int64_t layers : {1, 0}) {
        shorter.keep_layers(layers);
        EXPECT_EQ(shorter.config().stack.layers, layers);
        last.push_back(shorter.hidden({{ids}})[0]);
    }
    EXPECT_GT(test::apart(last[0], hidden({ids})), 0.01);
    EXPECT_GT(test::apart(last[0], last[1]), 0.01);
    // Embeddings know their place and nothing of their neighbours.
    EXPECT_LT(test::apart(last[1][1], shorter.hidden({{{20, ids[1]}}})[0][1]), 1e-6);
    EXPECT_EQ(bert.config().stack.layers, 2) << "a copy's own";
    expect_says(refusal([&] { shorter.keep_layers(1); }), {"BertModel", "a layer from 0 to 0", "got 1"});
    Encoder scoring = Encoder::load(kStored / "bert-score" / "model", at::kFloat, at::kCPU);
    scoring.keep_layers(1);
    EXPECT_FALSE(scoring.config().regression);
}

TEST_F(BertRows, WhatCannotBeComputedIsNamed) {
    const auto said = [&](const EncoderRow& row) { return refusal([&] { bert.hidden({{ids}, row}); }); };
    expect_says(said({{7, 40}}), {"row 1", "below the vocabulary's 40", "got 40"});
    expect_says(said({{7, -1}}), {"row 1", "got -1"});
    expect_says(said({{}}), {"row 1", "at least one token"});
    expect_says(said({std::vector<int64_t>(25, 7)}), {"row 1", "at most the model's 24 positions", "25 tokens"});
    expect_says(said({{7, 8}, {1}}), {"row 1: attention_mask", "2 tokens", "got 1"});
    expect_says(said({{7, 8}, {1, 2}}), {"row 1: attention_mask", "from 0 to 1", "got 2"});
    expect_says(said({{7, 8}, {0, 0}}), {"row 1: attention_mask", "at least one token that is seen"});
    expect_says(said({{7, 8}, {}, {0, 2}}), {"row 1: token_type_ids", "from 0 to 1", "got 2"});
    expect_says(refusal([&] { bert.scores(bert.hidden({{ids}})); }), {"BertModel", "a regression head"});
    EXPECT_TRUE(bert.hidden({}).empty());
}

TEST(Encoder, RobertaCountsTokensThatAreNotPadding) {
    const Encoder roberta = Encoder::load(kStored / "roberta" / "model", at::kFloat, at::kCPU);
    EncoderRow row{std::vector<int64_t>(22, 7)};  // 24 positions, of which the padding's is row 1
    EXPECT_EQ(roberta.hidden({row})[0].size(0), 22);
    row.ids.resize(40, 1);
    row.mask.assign(22, 1);
    row.mask.resize(40, 0);
    EXPECT_EQ(roberta.hidden({row})[0].size(0), 40);
    row.ids.push_back(7);
    row.mask.push_back(1);
    expect_says(refusal([&] { roberta.hidden({row}); }), {"at most the model's 22 positions", "23 tokens"});
}

// A copy of a stored folder, with a file spoilt.
struct SpoiltFolder : ::testing::Test {
    TemporaryFolder folder;
    NamedTensors tensors;

    void copy(const std::string& name) {
        fs::copy(kStored / name / "model", folder.path(),
                 fs::copy_options::overwrite_existing | fs::copy_options::recursive);
        const SafetensorsFile file(folder.path() / "model.safetensors");
        tensors.clear();
        for (const std::string& tensor : file.names()) tensors.emplace_back(tensor, file.tensor(tensor));
    }
    void write() const {
        fs::remove(folder.path() / "model.safetensors");
        write_safetensors(folder.path() / "model.safetensors", tensors);
    }
    auto find(const std::string& name) {
        const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.first == name; });
        EXPECT_NE(found, tensors.end()) << name;
        return found;
    }
    std::string encoder_refusal() const {
        return refusal([&] { Encoder::load(folder.path(), at::kFloat, at::kCPU); });
    }
    std::string seq2seq_refusal() const {
        return refusal([&] { Seq2Seq::load(folder.path(), at::kFloat, at::kCPU); });
    }
    std::vector<double> logprobs() const {
        const at::Tensor all = Seq2Seq::load(folder.path(), at::kFloat, at::kCPU)
                                   .target_logprobs({{{{7, 8, 9}}, {10, 11, 2}}})[0]
                                   .to(at::kDouble);
        return {all.const_data_ptr<double>(), all.const_data_ptr<double>() + all.numel()};
    }
};

TEST_F(SpoiltFolder, MissingMisshapedAndSurplusTensorsAreNamed) {
    copy("bert");
    const std::string name = "bert.encoder.layer.1.output.dense.weight";
    find(name)->second = find(name)->second.t().contiguous();
    write();
    expect_says(encoder_refusal(), {"model.safetensors", name, "[16, 24]", "[24, 16]"});
    tensors.erase(find(name));
    write();
    expect_says(encoder_refusal(), {folder.path().string(), name, "none of that name"});
    copy("bert");
    tensors.emplace_back("bert.encoder.layer.2.output.dense.weight", at::ones({16, 24}));
    write();
    expect_says(encoder_refusal(), {"model.safetensors", "bert.encoder.layer.2.output.dense.weight", "besides"});
}

TEST_F(SpoiltFolder, TheScoreNeedsItsHead) {
    copy("bert-score");
    tensors.erase(find("bert.pooler.dense.bias"));
    write();
    expect_says(encoder_refusal(), {"bert.pooler.dense.bias"});
    copy("bert-score");
    find("classifier.weight")->second = at::ones({3, 16});
    write();
    expect_says(encoder_refusal(), {"classifier.weight", "[1, 16]", "[3, 16]"});
}

TEST_F(SpoiltFolder, EmbeddingsStandUnderAnyOfTheirNames) {
    copy("bart");
    const std::vector<double> stored = logprobs();
    const at::Tensor shared = find("model.shared.weight")->second;
    for (const std::string name :
         {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"}) {
        copy("bart");
        find("model.shared.weight")->first = name;
        write();
        EXPECT_EQ(logprobs(), stored) << name;
    }
    copy("bart");
    tensors.emplace_back("lm_head.weight", shared * 2);  // another matrix: the files are right
    write();
    EXPECT_NE(logprobs(), stored);
    copy("bart");
    tensors.erase(find("model.shared.weight"));
    write();
    expect_says(seq2seq_refusal(), {"model.encoder.embed_tokens.weight"});
}

TEST_F(SpoiltFolder, TheBiasOfLogitsCounts) {
    copy("bart");
    const std::vector<double> stored = logprobs();
    find("final_logits_bias")->second = find("final_logits_bias")->second + 3;  // the same for all tokens
    write();
    for (size_t i = 0; i < stored.size(); ++i) EXPECT_NEAR(logprobs()[i], stored[i], 1e-2);  // stored in float16
    at::Tensor raised = find("final_logits_bias")->second.clone();
    raised[0][10].add_(5);
    find("final_logits_bias")->second = raised;
    write();
    EXPECT_GT(logprobs()[0], stored[0] + 1);
    tensors.erase(find("final_logits_bias"));
    write();
    EXPECT_NE(logprobs(), stored);
}

TEST(Seq2Seq, WhatCannotBeComputedIsNamed) {
    const Seq2Seq bart = Seq2Seq::load(kStored / "bart" / "model", at::kFloat, at::kCPU);
    const auto said = [&](const Seq2SeqRow& row) { return refusal([&] { bart.target_logprobs({row}); }); };
    expect_says(said({{{7, 40}}, {7}}), {"row 0: source", "below the vocabulary's 40"});
    expect_says(said({{{7}}, {40}}), {"row 0: target", "below the vocabulary's 40"});
    expect_says(said({{{7}}, {}}), {"row 0: target", "at least one token"});
    expect_says(said({{{7}}, std::vector<int64_t>(25, 7)}), {"row 0: target", "at most the model's 24 positions"});
    expect_says(said({{{7}, {}, {0}}, {7}}), {"row 0: source", "no token_type_ids"});
    EXPECT_EQ(bart.target_logprobs({{{std::vector<int64_t>(24, 7)}, std::vector<int64_t>(24, 8)}})[0].size(0), 24);
    EXPECT_TRUE(bart.target_logprobs({}).empty());
    expect_says(refusal([] { Seq2Seq::load(kStored / "bert" / "model", at::kFloat, at::kCPU); }),
                {"architectures", "BartForConditionalGeneration"});
}

}  // namespace
}  // namespace craft
