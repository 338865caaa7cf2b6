#include "data/pair_file.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include "core/rng.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

Pair pair_of_strings(const std::string& prompt, const std::string& chosen, const std::string& rejected) {
    Pair pair;
    pair.prompt = prompt;
    pair.chosen = chosen;
    pair.rejected = rejected;
    return pair;
}

Pair pair_of_messages(const std::string& asked, const std::string& chosen, const std::string& rejected) {
    Pair pair;
    pair.prompt = Conversation{{Role::system, "Be plain."}, {Role::user, asked}};
    pair.chosen = Conversation(std::vector<Message>{{Role::assistant, chosen}});
    pair.rejected = Conversation(std::vector<Message>{{Role::assistant, rejected}});
    return pair;
}

// Both kinds, all that stands beside messages, a provenance, and texts that one could take for something else.
std::vector<Pair> pairs_of_many_forms() {
    std::vector<Pair> pairs = {pair_of_strings("Simplify: größer\n", " big", " \"large\" \\u0041"),
                               pair_of_strings("", "[]", "{\"a\":1}"), pair_of_messages("Hä?", "what", "pardon\n\n")};
    pairs[1].provenance = {{"judge", "scores:fkgl"}, {"gap", 0.25}, {"systems", {"a", "b"}}};
    Pair full = pair_of_messages("x", "y", "z");
    auto& prompt = std::get<Conversation>(full.prompt);
    prompt.tools = Json::parse(R"([{"type":"function","function":{"name":"f"}}])");
    prompt.variables = {{"enable_thinking", false}};
    pairs.push_back(full);
    return pairs;
}

std::string image_of(const std::vector<Pair>& pairs) {
    PairFileBuilder builder;
    for (const Pair& pair : pairs) builder.add(pair);
    return builder.image("pairs");
}

std::vector<Json> rows_of(const std::string& path) {
    std::vector<Json> rows;
    PairFileReader reader(path);
    for (int64_t i = 0; i < reader.pairs(); ++i) rows.push_back(to_json(reader.read(i)));
    return rows;
}

std::vector<Json> rows_of(const std::vector<Pair>& pairs) {
    std::vector<Json> rows;
    for (const Pair& pair : pairs) rows.push_back(to_json(pair));
    return rows;
}

std::string told(const std::string& file, const std::string& message) {
    return message.rfind(file, 0) == 0 ? message.substr(file.size()) : message;
}

TEST(PairFile, GivesBackWhatWasWritten) {
    const TemporaryFolder folder;
    const std::vector<Pair> pairs = pairs_of_many_forms();
    const std::string path = folder.file("p.h5", image_of(pairs));
    EXPECT_EQ(rows_of(path), rows_of(pairs));
    PairFileReader reader(path);
    EXPECT_EQ(to_json(reader.read(3)), to_json(pairs[3])) << "from any place";
    EXPECT_EQ(to_json(reader.read(0)), to_json(pairs[0]));
    EXPECT_EQ(image_of(pairs), image_of(pairs)) << "the same bytes";
    EXPECT_EQ(told(path, message_of([&] { reader.read(4); })), ": pair 5: expected one of 4 pairs, got none");
}

TEST(PairFile, IsCompressed) {
    std::vector<Pair> pairs;
    for (int i = 0; i < 300; ++i)
        pairs.push_back(pair_of_messages("Simplify the sentence, please.", "It is so.", "So it is."));
    PairFileBuilder builder;
    for (const Pair& pair : pairs) builder.add(pair);
    EXPECT_LT(builder.image("a").size() * 2, builder.image("a", 0).size());
}

TEST(PairFile, TheWriterGoesByTheName) {
    const TemporaryFolder folder;
    const std::vector<Pair> pairs = pairs_of_many_forms();
    for (const char* name : {"p.h5", "p.jsonl"}) {
        const std::string path = folder.path() / name;
        PairWriter writer(path);
        for (const Pair& pair : pairs) writer.write(pair);
        EXPECT_EQ(writer.pairs(), 4);
        EXPECT_FALSE(std::filesystem::exists(path)) << "before it is whole";
        writer.close();
        EXPECT_EQ(hdf5_format(path).has_value(), path.ends_with(".h5"));
        std::vector<Json> rows;
        UnknownKeys unknown;
        EXPECT_EQ(
            for_each_pair(path, {}, &unknown, [&](const Pair& pair, const std::string&) { rows.push_back(to_json(pair)); }),
            0);
        EXPECT_EQ(rows, rows_of(pairs)) << name;
        EXPECT_TRUE(unknown.counts().empty());
    }
    EXPECT_EQ(hdf5_format("-"), std::nullopt);
    EXPECT_EQ(hdf5_format(folder.path() / "none.h5"), std::nullopt);
}

TEST(PairFile, MixedPartsAreRefusedAndLeaveTheBuilderAsItWas) {
    PairFileBuilder builder;
    builder.add(pair_of_strings("a", "b", "c"));
    const std::string before = builder.image("p");
    Pair mixed = pair_of_messages("a", "b", "c");
    mixed.rejected = "c";
    EXPECT_EQ(message_of([&] { builder.add(mixed); }),
              "pair: expected prompt, chosen and rejected all strings or all lists of messages, got both kinds");
    EXPECT_EQ(builder.pairs(), 1);
    EXPECT_EQ(builder.image("p"), before);
}

TEST(PairFile, ForeignAndEmptyFiles) {
    const TemporaryFolder folder;
    Hdf5Image other("other");
    const std::string foreign = folder.file("foreign.h5", other.bytes());
    EXPECT_EQ(hdf5_format(foreign), "");
    EXPECT_EQ(told(foreign, message_of([&] { PairFileReader reader(foreign); })).substr(0, 34),
              ": attribute 'format': cannot read:");
    Hdf5Image store("store");
    store.set_attribute("format", "craft-train trajectories");
    const std::string segment = folder.file("segment.h5", store.bytes());
    EXPECT_EQ(hdf5_format(segment), "craft-train trajectories");
    EXPECT_EQ(told(segment, message_of([&] { PairFileReader reader(segment); })),
              ": attribute 'format': expected 'craft-train pairs', got 'craft-train trajectories'");
    Hdf5Image later("later");
    later.set_attribute("format", kPairFormat);
    later.set_attribute("version", int64_t{2});
    const std::string newer = folder.file("later.h5", later.bytes());
    EXPECT_EQ(told(newer, message_of([&] { PairFileReader reader(newer); })),
              ": expected format version 1, got 2 (write it as JSON Lines with the program that made it)");
    const std::string empty = folder.file("empty.h5", image_of({}));
    EXPECT_EQ(PairFileReader(empty).pairs(), 0);
    EXPECT_EQ(told(empty, message_of([&] { for_each_pair(empty, {}, nullptr, [](const Pair&, const std::string&) {}); })),
              ": expected at least one pair, got none");
}

// One pair of which a column says something else.
struct OddPair {
    std::string prompt = "a", chosen = "b", rejected = "c", details = "{}", provenance = "{}";
    uint8_t kind = 0;
    int64_t count = 1;
    uint64_t end = 1;  // where the prompt ends
};

TEST(PairFile, HostileColumns) {
    const TemporaryFolder folder;
    const auto refusal = [&](const OddPair& odd) {
        Hdf5Image image("hostile");
        image.set_attribute("format", kPairFormat);
        image.set_attribute("version", kPairVersion);
        image.set_attribute("pairs", odd.count);
        const auto add = [&](const std::string& path, const std::string& text, uint64_t end) {
            image.add_column<uint8_t>(path + "/bytes", std::vector<uint8_t>(text.begin(), text.end()), 1);
            image.add_column<uint64_t>(path + "/offsets", std::vector<uint64_t>{0, end}, 1);
        };
        add("pairs/prompt", odd.prompt, odd.end);
        add("pairs/chosen", odd.chosen, odd.chosen.size());
        add("pairs/rejected", odd.rejected, odd.rejected.size());
        add("pairs/details", odd.details, odd.details.size());
        add("pairs/provenance", odd.provenance, odd.provenance.size());
        image.add_column<uint8_t>("pairs/kind", std::vector<uint8_t>{odd.kind}, 1);
        const std::string file = folder.file("hostile.h5", image.bytes());
        return told(file, message_of([&] { PairFileReader(file).read(0); }));
    };
    EXPECT_EQ(refusal({}), "(nothing thrown)");
    EXPECT_EQ(refusal({.count = -1}), ": expected a sensible number of pairs, got -1");
    EXPECT_EQ(refusal({.count = int64_t{1} << 50}), ": expected a sensible number of pairs, got 1125899906842624");
    EXPECT_EQ(refusal({.count = int64_t{1} << 39}),
              ": dataset 'pairs/prompt/offsets': expected 549755813889 elements, got 2");
    EXPECT_EQ(refusal({.end = uint64_t{1} << 62}),
              ": dataset 'pairs/prompt/offsets': expected ascending offsets within 1 bytes, got 0 and 4611686018427387904");
    EXPECT_EQ(refusal({.kind = 2}), ": pair 1: dataset 'kind': expected 0 or 1, got 2");
    EXPECT_EQ(refusal({.chosen = "\xFF"}), ": pair 1: dataset 'chosen': expected UTF-8, got other bytes");
    EXPECT_EQ(refusal({.kind = 1}).substr(0, 26), ": pair 1: dataset 'prompt'");
    EXPECT_EQ(refusal({.prompt = "7", .kind = 1}), ": pair 1: dataset 'prompt': expected a list of messages, got number");
    EXPECT_EQ(refusal({.details = "[]"}), ": pair 1: dataset 'details': expected an object, got array");
    EXPECT_EQ(refusal({.provenance = "7"}), ": pair 1: dataset 'provenance': expected an object, got number");
}

// A few bytes that claim a quarter of a gigabyte, which HDF5 would make of nothing: beside other texts it is too much.
TEST(PairFile, APairDoesNotFillTheMemory) {
    const TemporaryFolder folder;
    const std::string path = folder.file("one.h5", image_of({pair_of_strings("a", "b", "c")}));
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hsize_t claimed = kMaxPairBytes, chunk = 1 << 16;
    const uint64_t offsets[] = {0, claimed};
    const hid_t space = H5Screate_simple(1, &claimed, nullptr), layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(layout, 1, &chunk);
    H5Ldelete(file, "pairs/chosen/bytes", H5P_DEFAULT);
    const hid_t bytes = H5Dcreate2(file, "pairs/chosen/bytes", H5T_STD_U8LE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    const hid_t at = H5Dopen2(file, "pairs/chosen/offsets", H5P_DEFAULT);
    const herr_t written = H5Dwrite(at, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, offsets);
    for (const hid_t id : {bytes, at, space, layout, file}) H5Idec_ref(id);
    ASSERT_GE(written, 0);
    EXPECT_EQ(told(path, message_of([&] { PairFileReader(path).read(0); })),
              ": dataset 'pairs/chosen/offsets': expected pairs with texts of at most 268435456 bytes, got more");
}

// Whatever a damaged file is taken for, it is an Error of one line, or pairs.
TEST(PairFile, DamagedBytesAreErrorsOfOneLine) {
    const TemporaryFolder folder;
    const std::string whole = image_of(pairs_of_many_forms());
    const auto read_all = [&](const std::string& bytes) {
        const std::string path = folder.file("damaged.h5", bytes);
        try {
            rows_of(path);
            return std::string("read");
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    ASSERT_EQ(read_all(whole), "read");
    for (size_t size = 0; size < whole.size(); size += 97) {
        const std::string message = read_all(whole.substr(0, size));
        EXPECT_NE(message, "read") << size;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
#ifdef __SANITIZE_ADDRESS__
    // HDF5 1.10 itself reads after its buffers where object headers are damaged, which a sanitizer ends. It does so when it
    // looks for an attribute (H5Aopen), long after what opening a file can check: H5Fis_accessible reads the superblock, as
    // ours does, and headers of this form have no checksum.
    return;
#endif
    Rng rng(1, "damage");
    for (int i = 0; i < 400; ++i) {
        std::string flipped = whole;
        for (int n = 0; n < 3; ++n) flipped[rng.below(flipped.size())] ^= static_cast<char>(1 << rng.below(8));
        EXPECT_EQ(read_all(flipped).find('\n'), std::string::npos);
    }
}

}  // namespace
}  // namespace craft
