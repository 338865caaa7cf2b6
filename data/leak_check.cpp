#include "data/leak_check.h"

#include <algorithm>
#include <fstream>

#include "core/error.h"
#include "core/file_hash.h"
#include "core/rows.h"
#include "text/code_points.h"
#include "text/text_lines.h"
#include "text/utf8.h"

namespace craft {

namespace {

bool begins_as_json(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string start(3, '\0');
    file.read(start.data(), 3);
    if (start != "\xEF\xBB\xBF") file.clear(), file.seekg(0);
    char c = 0;
    while (file.get(c))
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return c == '{';
    return false;
}

std::vector<std::string> evaluation_texts(const Json& row, const std::string& where) {
    std::vector<std::string> texts;
    for (const char* name : {"text", "source"})
        if (const auto text = optional_string_field(row, name, where)) texts.push_back(*text);
    const auto references = row.find("references");
    if (references != row.end() && references->is_array()) {
        for (const Json& one : *references) {
            if (!one.is_string()) throw Error(where + ": field 'references'", "texts", one.type_name());
            texts.push_back(one.get<std::string>());
        }
    } else if (references != row.end()) {
        texts.push_back(string_field(row, "references", where));
    }
    if (texts.empty())
        throw Error(where, "a field 'text', 'source' or 'references'", "a row without them",
                    "or give plain text, one per line");
    return texts;
}

}  // namespace

std::vector<std::string> leak_words(std::string_view text) {
    std::vector<std::string> words;
    const std::string lowered = lowercase(text);
    bool within = false;
    for (size_t at = 0; at < lowered.size();) {
        const CodePoint here = code_point_at(lowered, at);
        const bool counts = is_letter(here.value) || in_number_category(here.value);
        if (counts && !within) words.emplace_back();
        if (counts) words.back().append(lowered, at, here.bytes);
        within = counts;
        at += here.bytes;
    }
    return words;
}

LeakCheck::LeakCheck(int64_t words) : words_(static_cast<size_t>(std::max<int64_t>(words, 1))) {
    if (words < 1) throw Error("leak check", "sequences of at least one word", std::to_string(words));
}

// Calls visit() with the words of each sequence, a blank after each, until it returns true.
template <class Visit>
void LeakCheck::visit(std::string_view text, const Visit& visit) const {
    std::string all;
    std::vector<size_t> starts;
    for (const std::string& word : leak_words(text)) {
        starts.push_back(all.size());
        all.append(word).push_back(' ');
    }
    if (starts.empty()) return;
    const size_t sequences = starts.size() < words_ ? 1 : starts.size() - words_ + 1;
    starts.push_back(all.size());
    for (size_t first = 0; first < sequences; ++first) {
        const size_t end = starts[std::min(first + words_, starts.size() - 1)];
        if (visit(std::string_view(all).substr(starts[first], end - starts[first]))) return;
    }
}

void LeakCheck::add(std::string_view text) {
    visit(text, [&](std::string_view sequence) { return hashes_.insert(sequence), false; });
}

bool LeakCheck::meets(std::string_view text) const {
    bool met = false;
    visit(text, [&](std::string_view sequence) { return met = hashes_.contains(sequence); });
    return met;
}

int64_t LeakCheck::add_rows(const std::string& path) {
    int64_t texts = 0;
    for_each_row(path, {}, [&](const Json& row, const std::string& where) {
        for (const std::string& text : evaluation_texts(row, where)) {
            if (leak_words(text).empty()) continue;
            add(text);
            ++texts;
        }
    });
    return texts;
}

int64_t LeakCheck::add_lines(const std::string& path) {
    int64_t texts = 0;
    for (const std::string& line : read_text_lines(path)) {
        if (leak_words(line).empty()) continue;
        add(line);
        ++texts;
    }
    return texts;
}

void LeakCheck::add_file(const std::string& path) {
    const int64_t texts = begins_as_json(path) ? add_rows(path) : add_lines(path);
    if (texts == 0) throw Error(path, "texts to check for leaks", "none with a word");
    files_.push_back({{"file", path}, {"hash", file_hash(path)}, {"texts", texts}});
}

Json LeakCheck::to_json() const {
    return {{"words", words_}, {"files", files_}, {"sequences", sequences()}};
}

}  // namespace craft
