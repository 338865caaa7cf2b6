#include "english/dictionary/inflection.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/error.h"
#include "core/utf8.h"
#include "english/dictionary/compressed_file.h"
#include "english/dictionary/regular_forms.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kLargestTable = size_t{64} << 20;

// Where a tag's forms stand: in which lines, and in which of their columns; column -1 is the lemma itself.
struct TagColumn {
    std::string_view tag;
    WordKind kind;
    int column;
};
constexpr TagColumn kTags[] = {
    {"NN", WordKind::noun, -1},      {"NNS", WordKind::noun, 0},      {"VB", WordKind::verb, -1},
    {"VBP", WordKind::verb, -1},     {"VBD", WordKind::verb, 0},      {"VBN", WordKind::verb, 1},
    {"VBG", WordKind::verb, 2},      {"VBZ", WordKind::verb, 3},      {"JJ", WordKind::adjective, -1},
    {"JJR", WordKind::adjective, 0}, {"JJS", WordKind::adjective, 1}, {"RB", WordKind::adverb, -1},
    {"RBR", WordKind::adverb, 0},    {"RBS", WordKind::adverb, 1},
};
struct KindName {
    std::string_view name;
    size_t columns;
};
constexpr std::array<KindName, 4> kKindNames = {{{"noun", 1}, {"verb", 4}, {"adj", 2}, {"adv", 2}}};  // as WordKind

// Lines of lemminflect's table that are wrong (a column that slipped, a letter) or begin with the rarer form, as they should
// read. They take the place of lines that are there.
constexpr std::string_view kMended[] = {
    "OK,verb,OK'd,,OK'ing,OK's",
    "bear,verb,bore,borne/born,bearing,bears",
    "bestride,verb,bestrode,bestridden/bestrid,bestriding,bestrides",
    "bide,verb,bided/bode,bided,biding,bides",
    "inlay,verb,inlaid/inlayed,inlaid,inlaying,inlays",
    "interweave,verb,interwove/interweaved,interwoven,interweaving,interweaves",
    "joy-ride,verb,joy-rode,joy-ridden,joy-riding,joy-rides",
    "joyride,verb,joyrode,joyridden,joyriding,joyrides",
    "okay,verb,okayed/OK'd,,okaying/OK'ing,okays/OK's",
    "shave,verb,shaved,shaved/shaven,shaving,shaves",
    "shoe,verb,shod/shoed,shod,shoeing,shoes",
    "thrive,verb,thrived/throve,thrived/thriven,thriving,thrives",
    "torpedo,verb,torpedoed,,torpedoing,torpedoes",
    "typeset,verb,typeset,,typesetting,typesets",
    "wake,verb,woke/waked,woken/waked,waking,wakes",
    "weave,verb,wove/weaved,woven,weaving,weaves",
    "zinc,verb,zinced/zincked,,zincing/zincking,zincs",
};

const TagColumn* find_tag(std::string_view tag) {
    const auto* found = std::find_if(std::begin(kTags), std::end(kTags), [&](const TagColumn& t) { return t.tag == tag; });
    return found == std::end(kTags) ? nullptr : found;
}

const TagColumn& known_tag(std::string_view tag) {
    if (const TagColumn* found = find_tag(tag)) return *found;
    std::string known;
    for (const TagColumn& t : kTags) known += (known.empty() ? "" : " ") + std::string(t.tag);
    throw Error("tag of a form", "one of " + known, "'" + one_line(shortened(tag, 20)) + "'");
}

std::vector<std::string_view> cut(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    while (true) {
        const size_t end = text.find(at);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

// The participles of a verb from its past forms and those that the table has. One that is among the past forms says nothing
// new, but is often the rarer one alone ("stay": stayed/staid, staid): past forms are then participles in their own order,
// but for those of another kind ("dove").
std::vector<std::string_view> participles(std::string_view past, std::string_view own) {
    const std::vector<std::string_view> pasts = cut(past, '/');
    if (own.empty()) return pasts;
    std::vector<std::string_view> given = cut(own, '/');
    const auto is_in = [](const std::vector<std::string_view>& forms, std::string_view form) {
        return std::find(forms.begin(), forms.end(), form) != forms.end();
    };
    if (!std::all_of(given.begin(), given.end(), [&](std::string_view form) { return is_in(pasts, form); })) return given;
    std::vector<std::string_view> all;
    for (const std::string_view form : pasts)
        if (is_in(given, form) || form.ends_with("ed")) all.push_back(form);
    return all;
}

// The word of a phrase that is inflected, as a part of it.
std::string_view head_of(std::string_view phrase, WordKind kind) {
    const size_t blank = kind == WordKind::verb ? phrase.find(' ') : phrase.rfind(' ');
    if (blank == std::string_view::npos) return phrase;
    if (kind == WordKind::verb) return phrase.substr(0, blank);
    if (kind == WordKind::noun) {
        size_t end = std::string_view::npos;
        for (const std::string_view preposition : {" of ", " in ", " to ", " at ", " for ", " on ", " with ", " by "})
            end = std::min(end, phrase.find(preposition));
        if (end != std::string_view::npos && end > 0) {
            const std::string_view before = phrase.substr(0, end);
            return before.substr(before.rfind(' ') + 1);  // npos + 1 is 0: the first word
        }
    }
    return phrase.substr(blank + 1);
}

}  // namespace

std::optional<WordKind> kind_of_tag(std::string_view tag) {
    const TagColumn* found = find_tag(tag);
    if (found == nullptr) return std::nullopt;
    return found->kind;
}

struct Inflections::Table {
    std::string text;
    std::unordered_map<std::string_view, std::string_view> lines;  // "utilise,verb" -> "utilised,,utilising,utilises"

    void read(const std::string& where);
    std::vector<std::string> find(const std::string& lemma, const TagColumn& tag) const;
    std::vector<std::string> of_word(const std::string& lemma, const TagColumn& tag) const;
    std::vector<std::string> of_last_part(const std::string& lemma, const TagColumn& tag) const;
};

void Inflections::Table::read(const std::string& where) {
    if (invalid_utf8_at(text) != std::string_view::npos) throw Error(where, "UTF-8", "other bytes");
    size_t number = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = std::string_view(text).substr(at, end - at);
        at = end + 1;
        ++number;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty()) continue;
        const std::vector<std::string_view> fields = cut(line, ',');
        const auto kind = fields.size() < 2 ? kKindNames.end()
                                            : std::find_if(kKindNames.begin(), kKindNames.end(),
                                                           [&](const KindName& k) { return k.name == fields[1]; });
        if (kind == kKindNames.end() || fields[0].empty() || fields.size() != 2 + kind->columns)
            throw Error(where + ":" + std::to_string(number),
                        "LEMMA,KIND and the kind's forms (noun 1, verb 4, adj 2, adv 2)",
                        "'" + one_line(shortened(line, 60)) + "'");
        const size_t key = fields[0].size() + 1 + fields[1].size();
        lines.emplace(line.substr(0, key), line.substr(key + 1));
    }
    if (lines.empty()) throw Error(where, "a table of forms", "an empty one");
    for (const std::string_view line : kMended) {
        const size_t key = line.find(',', line.find(',') + 1);
        if (const auto found = lines.find(line.substr(0, key)); found != lines.end()) found->second = line.substr(key + 1);
    }
}

// The table's forms; none of what it lacks.
std::vector<std::string> Inflections::Table::find(const std::string& lemma, const TagColumn& tag) const {
    const KindName& kind = kKindNames[static_cast<size_t>(tag.kind)];
    const auto found = lines.find(lemma + "," + std::string(kind.name));
    if (found == lines.end()) return {};
    if (tag.column < 0) return {lemma};
    const std::vector<std::string_view> columns = cut(found->second, ',');
    const std::string_view column = columns[static_cast<size_t>(tag.column)];
    std::vector<std::string> all;
    for (const std::string_view form : tag.tag == "VBN" ? participles(columns[0], column) : cut(column, '/'))
        if (!form.empty()) all.emplace_back(form);
    if (all.empty() && (tag.kind == WordKind::adjective || tag.kind == WordKind::adverb))
        all.push_back((tag.column == 0 ? "more " : "most ") + lemma);
    return all;
}

// Forms of what comes after a hyphen, or of the verb after a prefix, with what comes before it.
std::vector<std::string> Inflections::Table::of_last_part(const std::string& lemma, const TagColumn& tag) const {
    size_t begin = lemma.rfind('-') + 1;
    if (begin == 0 && tag.kind == WordKind::verb)
        for (const std::string_view prefix : {"re", "over", "under", "out", "mis", "un", "fore", "pre", "co"})
            if (lemma.size() >= prefix.size() + 3 && lemma.starts_with(prefix)) begin = prefix.size();
    if (begin == 0 || begin == lemma.size()) return {};
    std::vector<std::string> forms = find(lemma.substr(begin), tag);
    for (std::string& form : forms) {
        if (form.starts_with("more ") || form.starts_with("most ")) return {};
        form = lemma.substr(0, begin) + form;
    }
    return forms;
}

std::vector<std::string> Inflections::Table::of_word(const std::string& lemma, const TagColumn& tag) const {
    if (lemma == "be") {
        if (tag.tag == "VBD") return {"was", "were"};
        if (tag.tag == "VBP") return {"are", "am"};
        if (tag.tag == "VBZ") return {"is"};
        if (tag.tag == "VBN") return {"been"};
    }
    if (lemma == "person" && tag.tag == "NNS") return {"people", "persons"};  // the table has the rarer one alone
    std::vector<std::string> forms = find(lemma, tag);
    if (forms.empty()) forms = find(lowercase(lemma), tag);
    if (forms.empty()) forms = of_last_part(lemma, tag);
    if (forms.empty()) forms.push_back(regular_form(lemma, tag.tag));
    return forms;
}

Inflections::Inflections(std::unique_ptr<Table> table) : table_(std::move(table)) {}
Inflections::Inflections(Inflections&&) noexcept = default;
Inflections& Inflections::operator=(Inflections&&) noexcept = default;
Inflections::~Inflections() = default;

Inflections Inflections::parse(std::string table, const std::string& where) {
    auto read = std::make_unique<Table>();
    read->text = std::move(table);
    read->read(where);
    return Inflections(std::move(read));
}

Inflections Inflections::load(const std::filesystem::path& file) {
    return parse(read_compressed_file(file, kLargestTable), file.string());
}

std::vector<std::string> Inflections::forms(std::string_view lemma, std::string_view tag) const {
    const TagColumn& column = known_tag(tag);
    const std::string_view phrase = trim_view(lemma);
    if (phrase.empty()) return {};
    const std::string_view head = head_of(phrase, column.kind);
    if (column.column < 0 && head != "be") return {std::string(phrase)};
    const auto before = phrase.substr(0, static_cast<size_t>(head.data() - phrase.data()));
    const auto behind = phrase.substr(before.size() + head.size());
    std::vector<std::string> forms = table_->of_word(std::string(head), column);
    for (std::string& form : forms) form = std::string(before).append(form).append(behind);
    return forms;
}

bool Inflections::knows(std::string_view lemma, WordKind kind) const {
    const std::string_view phrase = trim_view(lemma);
    if (phrase.empty()) return false;
    const std::string head(head_of(phrase, kind));
    if (kind == WordKind::verb && head == "be") return true;  // whose forms are not the table's
    const std::string behind = "," + std::string(kKindNames[static_cast<size_t>(kind)].name);
    return table_->lines.contains(head + behind) || table_->lines.contains(lowercase(head) + behind);
}

}  // namespace craft
