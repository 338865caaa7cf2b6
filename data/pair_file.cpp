#include "data/pair_file.h"

#include <fstream>

#include "core/error.h"
#include "core/rows.h"
#include "core/utf8.h"

namespace craft {

namespace {

constexpr std::array<const char*, 5> kPairTexts = {"prompt", "chosen", "rejected", "details", "provenance"};
constexpr uint8_t kStrings = 0, kMessages = 1;

std::string column_text(const Json& value) {
    return value.is_string() ? value.get<std::string>() : dump_line(value);
}

// The parts of a row by kPairTexts.
std::array<std::string, kPairTexts.size()> pair_texts(const Json& row) {
    Json details = row;
    for (const char* own : {"prompt", "chosen", "rejected", "provenance"}) details.erase(own);
    return {column_text(row.at("prompt")), column_text(row.at("chosen")), column_text(row.at("rejected")),
            dump_line(details), dump_line(row.value("provenance", Json::object()))};
}

bool holds_messages(const PromptText& text) {
    return std::holds_alternative<Conversation>(text);
}

Json object_of(const std::string& text, const std::string& where) {
    Json value = parse_json(text, where);
    if (!value.is_object()) throw Error(where, "an object", value.type_name());
    return value;
}

}  // namespace

std::optional<std::string> hdf5_format(const std::string& path) {
    std::error_code code;
    if (path == "-" || !std::filesystem::is_regular_file(path, code)) return std::nullopt;
    std::string start(8, '\0');
    std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
    if (start != "\x89HDF\r\n\x1a\n") return std::nullopt;
    const Hdf5File file(path);
    try {
        return file.string_attribute("format");
    } catch (const Error&) {  // somebody else's file: it says nothing
        return "";
    }
}

void PairFileBuilder::add(const Pair& pair) {
    const bool messages = holds_messages(pair.chosen);
    if (holds_messages(pair.prompt) != messages || holds_messages(pair.rejected) != messages)
        throw Error("pair", "prompt, chosen and rejected all strings or all lists of messages", "both kinds");
    const auto texts = pair_texts(to_json(pair));
    uint64_t bytes = 0;
    for (const std::string& text : texts) bytes += text.size();
    if (bytes > kMaxPairBytes)
        throw Error("pair", "texts of at most " + std::to_string(kMaxPairBytes) + " bytes", std::to_string(bytes));
    for (size_t i = 0; i < texts.size(); ++i) texts_[i].add(texts[i]);
    kinds_.push_back(messages ? kMessages : kStrings);
}

std::string PairFileBuilder::image(const std::string& name, unsigned compression) const {
    Hdf5Image image(name);
    image.set_attribute("format", kPairFormat);
    image.set_attribute("version", kPairVersion);
    image.set_attribute("pairs", pairs());
    for (size_t i = 0; i < texts_.size(); ++i) texts_[i].write(image, std::string("pairs/") + kPairTexts[i], compression);
    image.add_column<uint8_t>("pairs/kind", kinds_, compression);
    return image.bytes();
}

PairFileReader::PairFileReader(const std::filesystem::path& path) : name_(path.string()) {
    const Hdf5File file(path);
    if (const std::string format = file.string_attribute("format"); format != kPairFormat)
        throw Error(name_ + ": attribute 'format'", std::string("'") + kPairFormat + "'", "'" + shortened(format, 60) + "'");
    if (const int64_t version = file.integer_attribute("version"); version != kPairVersion)
        throw Error(name_, "format version " + std::to_string(kPairVersion), std::to_string(version),
                    "write it as JSON Lines with the program that made it");
    pairs_ = file.integer_attribute("pairs");
    constexpr int64_t kMax = int64_t{1} << 40;
    if (pairs_ < 0 || pairs_ > kMax) throw Error(name_, "a sensible number of pairs", std::to_string(pairs_));
    const auto n = static_cast<uint64_t>(pairs_);
    for (size_t i = 0; i < texts_.size(); ++i) texts_[i] = TextColumn(file, std::string("pairs/") + kPairTexts[i], n);
    kinds_ = open_column<uint8_t>(file, "pairs/kind", n);
}

std::string PairFileReader::where(int64_t index) const {
    return name_ + ": pair " + std::to_string(index + 1);
}

Pair PairFileReader::read(int64_t index, UnknownKeys* unknown) {
    if (index < 0 || index >= pairs_) throw Error(where(index), "one of " + std::to_string(pairs_) + " pairs", "none");
    const auto i = static_cast<uint64_t>(index);
    const uint8_t kind = kinds_.read(i, 1)[0];
    if (kind > kMessages) throw Error(where(index) + ": dataset 'kind'", "0 or 1", std::to_string(kind));
    TextBudget budget{.of = "pairs", .most = kMaxPairBytes};
    Json row = Json::object();
    for (size_t part = 0; part < 3; ++part) {
        std::string text = texts_[part].read(i, budget);
        const std::string place = where(index) + ": dataset '" + kPairTexts[part] + "'";
        if (kind == kStrings && invalid_utf8_at(text) != std::string::npos) throw Error(place, "UTF-8", "other bytes");
        row[kPairTexts[part]] = kind == kStrings ? Json(std::move(text)) : parse_json(text, place);
        if (kind == kMessages && !row[kPairTexts[part]].is_array())
            throw Error(place, "a list of messages", row[kPairTexts[part]].type_name());
    }
    const Json details = object_of(texts_[3].read(i, budget), where(index) + ": dataset 'details'");
    for (const auto& [key, value] : details.items())
        if (!row.contains(key)) row[key] = value;
    row["provenance"] = object_of(texts_[4].read(i, budget), where(index) + ": dataset 'provenance'");
    return pair_from_json(row, where(index), unknown);
}

PairWriter::PairWriter(const std::string& path)
    : path_(path), lines_(path.ends_with(".h5") ? nullptr : std::make_unique<JsonLinesWriter>(path)) {}

void PairWriter::write(const Pair& pair) {
    if (lines_)
        lines_->write(to_json(pair));
    else
        builder_.add(pair);
    ++written_;
}

void PairWriter::close() {
    if (lines_)
        lines_->close();
    else
        write_file_atomic(path_, builder_.image(path_));
}

int64_t for_each_pair(const std::string& path, const JsonLinesOptions& lines, UnknownKeys* unknown,
                      const std::function<void(const Pair&, const std::string&)>& on_pair) {
    if (!hdf5_format(path))
        return for_each_row(path, lines, [&](const Json& row, const std::string& where) {
            on_pair(pair_from_json(row, where, unknown), where);
        });
    PairFileReader reader(path);
    if (reader.pairs() == 0) throw Error(path, "at least one pair", "none");
    for (int64_t i = 0; i < reader.pairs(); ++i) on_pair(reader.read(i, unknown), reader.where(i));
    return 0;
}

}  // namespace craft
