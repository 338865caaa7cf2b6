#include "core/model_files.h"

#include <gmock/gmock.h>

#include <chrono>

#include "core/error.h"
#include "core/files.h"
#include "temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

class ModelFolder : public ::testing::Test {
protected:
    fs::path at(const std::string& name) const { return folder_.path() / name; }
    TemporaryFolder folder_;
    fs::path secret_ = folder_.file("home/id_rsa", "secret");
    fs::path config_ = folder_.file("model/config.json", "{}");
    fs::path model_ = folder_.path() / "model";
};

TEST_F(ModelFolder, IsReadFromFilesOfTheseKinds) {
    for (const char* name : {"model.safetensors", "tokenizer.model", "vocab.txt", "chat_template.jinja", "README.md",
                             "pytorch_model.bin", "additional_chat_templates/tool_use.jinja", "runs/a/manifest.json"})
        folder_.file(std::string("model/") + name, "x");
    std::string names;
    for (const fs::path& name : model_file_names(model_)) names += name.string() + " ";
    EXPECT_EQ(names,
              "additional_chat_templates/tool_use.jinja chat_template.jinja config.json model.safetensors tokenizer.model "
              "vocab.txt ");
    fs::remove(model_ / "model.safetensors");
    folder_.file("model/training_args.bin", "x");
    names.clear();
    for (const fs::path& name : model_file_names(model_)) names += name.string() + " ";
    EXPECT_THAT(names, testing::HasSubstr("config.json pytorch_model.bin tokenizer.model")) << "which is read then";
}

TEST_F(ModelFolder, ARunKeepsItsAdapterInAFolderOfItsOwn) {
    EXPECT_EQ(adapter_folder(at("run")), at("run"));
    folder_.file("run/adapter/adapter_config.json", "{}");
    EXPECT_EQ(adapter_folder(at("run")), at("run/adapter"));
    EXPECT_EQ(adapter_folder(at("run/adapter")), at("run/adapter"));
    folder_.file("run/adapter_config.json", "{}");
    EXPECT_EQ(adapter_folder(at("run")), at("run"));
    EXPECT_EQ(adapters_below(at("run")), (std::vector<fs::path>{at("run"), at("run/adapter")}));
    EXPECT_TRUE(adapters_below(at("nowhere")).empty());
}

TEST_F(ModelFolder, LinksLeadToItsOwnFiles) {
    fs::create_symlink("config.json", model_ / "again.json");
    EXPECT_EQ(read_file(own_file(model_, "again.json")), "{}");
    fs::create_symlink("model", at("by_a_link"));
    EXPECT_EQ(read_file(own_file(at("by_a_link"), "again.json")), "{}");
    check_own_files(model_);
    fs::create_symlink(secret_, model_ / "vocab.txt");
    const std::string refused = (model_ / "vocab.txt").string() +
                                ": expected a file of the model's own folder, to be copied, got a link to " +
                                fs::canonical(secret_).string() + " outside of it (put the file itself in the link's place)";
    EXPECT_EQ(message_of([&] { own_file(model_, "vocab.txt"); }), refused);
    EXPECT_EQ(message_of([&] { check_own_files(model_); }), refused);
    fs::remove(model_ / "vocab.txt");
    fs::create_directory_symlink(at("home"), model_ / "additional_chat_templates");
    folder_.file("home/notes.jinja", "secret");
    EXPECT_THROW(check_own_files(model_), Error) << "through a folder";
    fs::remove(model_ / "additional_chat_templates");
    fs::create_symlink(folder_.file("disk/model.safetensors", "weights"), model_ / "model.safetensors");
    EXPECT_EQ(message_of([&] { check_own_files(model_); }), "(nothing thrown)") << "weights are not copied as they are";
}

TEST_F(ModelFolder, AHuggingFaceCacheLinksToItsBlobs) {
    folder_.file("hub/models--a--b/blobs/1234", "{}");
    const fs::path snapshot = at("hub/models--a--b/snapshots/5678");
    fs::create_directories(snapshot / "inner");
    fs::create_symlink("../../blobs/1234", snapshot / "config.json");
    fs::create_symlink("../../../blobs/1234", snapshot / "inner/config.json");
    EXPECT_EQ(read_file(own_file(snapshot, "config.json")), "{}");
    EXPECT_EQ(read_file(own_file(snapshot / "inner", "config.json")), "{}") << "a model in a folder of a repository";
    fs::create_symlink("../../../../home/id_rsa", snapshot / "vocab.txt");
    EXPECT_THROW(own_file(snapshot, "vocab.txt"), Error);
    // A folder that only looks like a cache.
    const fs::path looks = at("download/snapshots/1");
    fs::create_directories(looks);
    fs::create_directory_symlink(at("home"), at("download/blobs"));
    fs::create_symlink("../../blobs/id_rsa", looks / "vocab.txt");
    EXPECT_THROW(own_file(looks, "vocab.txt"), Error);
}

class Reference : public ModelFolder {
protected:
    Reference() {
        fs::create_directories(run_);
        write_model_reference(model_, run_);
    }
    std::string refusal() const {
        const std::string message = message_of([&] { located_model(run_); });
        const std::string start = (run_ / kModelReference).string() + ": expected the model ";
        return message.rfind(start, 0) == 0 ? message.substr(start.size()) : message;
    }
    fs::path run_ = folder_.path() / "run" / "model";
};

TEST_F(Reference, NamesAModelThatIsWhereItWas) {
    EXPECT_EQ(located_model(model_), model_);
    EXPECT_EQ(located_model(run_), fs::canonical(model_));
    EXPECT_EQ(folder_.count(), 3u);
    folder_.file("model/README.md", "more words");
    folder_.file("model/runs/a/manifest.json", "{}");
    EXPECT_EQ(located_model(run_), fs::canonical(model_)) << "no model is read from these";
    fs::rename(model_, at("elsewhere"));
    EXPECT_EQ(refusal(), "in " + model_.string() +
                             ", got no such folder or file (put it back there, or give the model itself in "
                             "place of " +
                             run_.string() + ")");
}

TEST_F(Reference, IsHeldAgainstTheFilesThatAModelIsReadFrom) {
    const std::string hash = read_json_file(run_ / kModelReference)["hash"];
    const std::string start = hash + " in " + model_.string() + ", got another one, xxh64:";
    folder_.file("model/config.json", "[]");
    EXPECT_EQ(refusal().substr(0, start.size()), start) << refusal();
    folder_.file("model/config.json", "{}");
    EXPECT_EQ(located_model(run_), model_);
    folder_.file("model/tokenizer.json", "{}");
    EXPECT_EQ(refusal().substr(0, start.size()), start) << "it would go before the tokenizer that the run had";
    fs::remove(model_ / "tokenizer.json");
    EXPECT_EQ(located_model(run_), model_);
}

TEST_F(Reference, NamesAModelInOneFileOrInParts) {
    const fs::path one = folder_.file("files/one.gguf", "GGUF");
    write_model_reference(one, run_);
    EXPECT_EQ(located_model(run_), one);
    folder_.file("files/one.gguf", "other");
    EXPECT_THAT(refusal(), testing::HasSubstr("got another one"));
    const fs::path first = folder_.file("files/m-00001-of-00002.gguf", "GGUF"),
                   second = folder_.file("files/m-00002-of-00002.gguf", "GGUF");
    write_model_reference(first, run_);
    EXPECT_EQ(located_model(run_), first);
    folder_.file("files/m-00002-of-00002.gguf", "other");
    EXPECT_THAT(refusal(), testing::HasSubstr("got another one")) << "a part of it";
    fs::remove(second);
    EXPECT_EQ(message_of([&] { located_model(run_); }),
              second.string() + ": expected part 2 of 2 of the model, got no such file (the download is not complete)");
}

TEST(ModelParts, AreFoundByTheirNames) {
    const TemporaryFolder folder;
    const auto file = [&](const std::string& name) { return fs::path(folder.file(name, "x")); };
    const std::vector<fs::path> all = {file("a-00001-of-00003.gguf"), file("a-00002-of-00003.gguf"),
                                       file("a-00003-of-00003.gguf")};
    EXPECT_EQ(model_parts(all[1]), all);
    for (const char* name :
         {"a.gguf", "a-1-of-3.gguf", "a-00001-of-00003.bin", "a-0000x-of-00003.gguf", "-00001-of-00003.gguf"})
        EXPECT_EQ(model_parts(folder.path() / name), std::vector<fs::path>{folder.path() / name}) << name;
    EXPECT_THROW(model_parts(folder.path() / "a-00001-of-00000.gguf"), Error);
}

TEST_F(Reference, LargeFilesAreNotReadWhereTheyStayedAsTheyWere) {
    const fs::path weights = folder_.file("model/model.safetensors", std::string(size_t{2} << 20, 'x'));
    fs::last_write_time(weights, fs::file_time_type::clock::now() - std::chrono::hours(1));
    write_model_reference(model_, run_);
    Json reference = read_json_file(run_ / kModelReference);
    ASSERT_EQ(reference["files"].size(), 1u);
    reference["files"][fs::canonical(weights).string()]["hash"] = "xxh64:0";
    write_json_file(run_ / kModelReference, reference);
    EXPECT_NE(refusal().find("got another one"), std::string::npos) << "the record was believed";
}

TEST_F(Reference, OfAReferenceNamesTheModelAndKeepsItsTemplate) {
    folder_.file("run/model/chat_template.jinja", "theirs");
    fs::create_directories(at("next"));
    write_model_reference(run_, at("next"));
    fs::remove_all(at("run"));
    EXPECT_EQ(located_model(at("next")), fs::canonical(model_));
    EXPECT_EQ(read_file(at("next/chat_template.jinja")), "theirs");
}

TEST_F(Reference, BrokenOnesSayWhatIsWrong) {
    const auto message = [&](const std::string& bytes) {
        folder_.file("run/model/model_reference.json", bytes);
        return message_of([&] { located_model(run_); });
    };
    const std::string file = (run_ / kModelReference).string();
    EXPECT_EQ(message("{}"), file + ": format: expected craft-train model reference, got something else");
    EXPECT_EQ(message(R"({"format":"craft-train model reference","version":2})"),
              file + ": version: expected 1, got 2 (written by another version of craft-train)");
    EXPECT_NE(message(R"({"format":"craft-train model reference","version":1})").find("field 'model'"), std::string::npos);
    EXPECT_NE(message("{").find("not JSON"), std::string::npos);
    // One that names a folder whose files it does not know.
    EXPECT_NE(message(R"({"format":"craft-train model reference","version":1,"hash":"xxh64:0","model":")" +
                      at("home").string() + "\"}")
                  .find("got another one"),
              std::string::npos);
}

}  // namespace
}  // namespace craft
