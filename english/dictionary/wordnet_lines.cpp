#include "english/dictionary/wordnet_lines.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace {

constexpr int64_t kMaxFields = 10'000;  // of one kind in a line: the real ones have a few hundred

// The fields of a line, between single blanks.
class Fields {
public:
    Fields(std::string_view line, const std::string& where) : rest_(line), where_(where) {}

    std::string_view text(const char* what) {
        const size_t begin = rest_.find_first_not_of(' ');
        if (begin == std::string_view::npos) fail(what, "the line's end");
        const size_t end = std::min(rest_.find(' ', begin), rest_.size());
        const std::string_view field = rest_.substr(begin, end - begin);
        rest_.remove_prefix(end);
        return field;
    }
    int64_t number(const char* what, int base = 10) {
        const std::string_view field = text(what);
        int64_t value = 0;
        const char* end = field.data() + field.size();
        const auto read = std::from_chars(field.data(), end, value, base);
        if (read.ec != std::errc() || read.ptr != end || value < 0) fail(what, "'" + one_line(shortened(field, 40)) + "'");
        return value;
    }
    int64_t count(const char* what, int base = 10) {
        const int64_t value = number(what, base);
        if (value > kMaxFields) fail(what, std::to_string(value));
        return value;
    }
    char letter(const char* what, std::string_view allowed) {
        const std::string_view field = text(what);
        if (field.size() != 1 || allowed.find(field[0]) == std::string_view::npos)
            fail(what, "'" + one_line(shortened(field, 40)) + "'");
        return field[0];
    }
    std::string_view rest() const { return rest_; }
    [[noreturn]] void fail(const std::string& expected, const std::string& got) const { throw Error(where_, expected, got); }

private:
    std::string_view rest_;
    const std::string& where_;
};

std::string lemma_of_field(std::string_view field, char type) {
    if (type == 'a' || type == 's')
        for (const std::string_view mark : {"(a)", "(p)", "(ip)"})
            if (field.size() > mark.size() && field.ends_with(mark)) field.remove_suffix(mark.size());
    std::string lemma(field);
    std::replace(lemma.begin(), lemma.end(), '_', ' ');
    return lemma;
}

void read_gloss(Fields& fields, Synset& synset) {
    std::string_view rest = fields.rest();
    const size_t bar = rest.find('|');
    if (bar == std::string_view::npos) fields.fail("a gloss behind |", "none");
    rest.remove_prefix(bar + 1);
    const size_t begin = rest.find_first_not_of(' ');
    if (begin == std::string_view::npos) return;
    synset.gloss = rest.substr(begin, rest.find_last_not_of(" \r") - begin + 1);
}

}  // namespace

IndexLine parse_index_line(std::string_view line, const std::string& where) {
    Fields fields(line, where);
    IndexLine entry;
    entry.lemma = fields.text("a lemma");
    fields.letter("a part of speech (n, v, a, r)", "nvar");
    const int64_t meanings = fields.count("the number of meanings");
    for (int64_t symbols = fields.count("the number of symbols"); symbols > 0; --symbols) fields.text("a symbol");
    fields.count("the number of meanings");
    fields.count("the number of meanings met in texts");
    for (int64_t i = 0; i < meanings; ++i) entry.offsets.push_back(fields.number("a meaning's place"));
    return entry;
}

Synset parse_synset_line(std::string_view line, const std::string& where) {
    Fields fields(line, where);
    Synset synset;
    synset.offset = fields.number("a meaning's place");
    fields.number("the number of a lexicographer's file");
    synset.type = fields.letter("a part of speech (n, v, a, s, r)", "nvasr");
    for (int64_t words = fields.count("the number of words", 16); words > 0; --words) {
        synset.words.push_back(lemma_of_field(fields.text("a word"), synset.type));
        fields.number("a word's number in a lexicographer's file", 16);
    }
    for (int64_t pointers = fields.count("the number of pointers"); pointers > 0; --pointers) {
        SynsetPointer pointer;
        pointer.symbol = fields.text("a pointer's symbol");
        pointer.offset = fields.number("a pointer's place");
        pointer.type = fields.letter("a pointer's part of speech", "nvasr");
        fields.number("a pointer's words", 16);
        synset.pointers.push_back(std::move(pointer));
    }
    read_gloss(fields, synset);  // a verb's frames before it are passed over
    return synset;
}

SenseCountLine parse_sense_count(std::string_view line, const std::string& where) {
    Fields fields(line, where);
    const std::string_view key = fields.text("a meaning's key");
    SenseCountLine entry;
    const size_t percent = key.rfind('%');
    const char type = percent == std::string_view::npos || percent + 1 == key.size() ? ' ' : key[percent + 1];
    if (type < '1' || type > '5') fields.fail("a meaning's key (lemma%1:...)", "'" + one_line(shortened(key, 40)) + "'");
    entry.lemma = key.substr(0, percent);
    entry.type = type - '0';
    entry.number = fields.count("a meaning's number");
    if (entry.number < 1) fields.fail("a meaning's number from 1", "0");
    entry.uses = fields.number("how often it was met");
    return entry;
}

}  // namespace craft
