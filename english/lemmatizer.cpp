#include "english/lemmatizer.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "core/error.h"
#include "english/string_ids.h"
#include "text/code_points.h"
#include "text/utf8.h"

namespace craft {

namespace {

// str.isalpha(): letters alone, which are no combining marks.
bool all_letters(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
        const CodePoint next = code_point_at(text, at);
        if ((U_GET_GC_MASK(static_cast<UChar32>(next.value)) & U_GC_L_MASK) == 0) return false;
        at += next.bytes;
    }
    return !text.empty();
}

const MsgpackValue& lemma_table(const MsgpackValue& lookups, const std::string& name, const std::string& where) {
    const MsgpackValue* table = lookups.find(name);
    if (table == nullptr || !table->is_map()) throw Error(where, "a table '" + name + "'", "none");
    return *table;
}

std::vector<std::string> lemma_texts(const MsgpackValue& value, const std::string& where) {
    std::vector<std::string> texts;
    if (!value.is_array()) throw Error(where, "a list of texts", "another kind of value");
    for (const MsgpackValue& item : value.items) {
        if (!item.is_text()) throw Error(where, "a list of texts", "another value in it");
        texts.emplace_back(item.text);
    }
    return texts;
}

std::string_view feature(std::string_view morph, std::string_view name) {
    for (size_t at = 0; at < morph.size();) {
        const size_t end = std::min(morph.find('|', at), morph.size());
        const std::string_view one = morph.substr(at, end - at);
        if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=') return one.substr(name.size() + 1);
        at = end + 1;
    }
    return {};
}

// A word whose tag says that nothing was added to it.
bool is_base_form(const EnglishToken& token) {
    const std::string_view form = feature(token.morph, "VerbForm");
    if (token.pos == "NOUN" && feature(token.morph, "Number") == "Sing") return true;
    if (token.pos == "VERB" && form == "Fin" && feature(token.morph, "Tense") == "Pres" &&
        feature(token.morph, "Number").empty())
        return true;
    return form == "Inf" || form == "None" || feature(token.morph, "Degree") == "Pos";
}

}  // namespace

Lemmatizer::Lemmatizer(const MsgpackValue& lookups, const std::string& where) {
    const MsgpackValue& rules = lemma_table(lookups, "lemma_rules", where);
    for (size_t i = 0; i + 1 < rules.items.size(); i += 2) {
        Tables& tables = tables_of(rules.items[i], where + ": lemma_rules");
        if (!rules.items[i + 1].is_array())
            throw Error(where + ": lemma_rules", "lists of endings", "another kind of value");
        for (const MsgpackValue& rule : rules.items[i + 1].items) {
            const std::vector<std::string> pair = lemma_texts(rule, where + ": lemma_rules");
            if (pair.size() != 2) throw Error(where + ": lemma_rules", "pairs of endings", std::to_string(pair.size()));
            tables.rules.push_back({pair[0], pair[1]});
        }
    }
    const MsgpackValue& exceptions = lemma_table(lookups, "lemma_exc", where);
    for (size_t i = 0; i + 1 < exceptions.items.size(); i += 2) {
        Tables& tables = tables_of(exceptions.items[i], where + ": lemma_exc");
        const MsgpackValue& words = exceptions.items[i + 1];
        if (!words.is_map()) throw Error(where + ": lemma_exc", "lemmas by words", "another kind of value");
        for (size_t j = 0; j + 1 < words.items.size(); j += 2) {
            if (!words.items[j].is_text()) throw Error(where + ": lemma_exc", "words", "another kind of value");
            tables.exceptions[std::string(words.items[j].text)] = lemma_texts(words.items[j + 1], where + ": lemma_exc");
        }
    }
    const MsgpackValue& index = lemma_table(lookups, "lemma_index", where);
    for (size_t i = 0; i + 1 < index.items.size(); i += 2)
        for (std::string& word : lemma_texts(index.items[i + 1], where + ": lemma_index"))
            tables_of(index.items[i], where + ": lemma_index").index.insert(std::move(word));
}

Lemmatizer::Tables& Lemmatizer::tables_of(const MsgpackValue& pos, const std::string& where) {
    if (!pos.is_natural()) throw Error(where, "tables by numbers of parts of speech", "another kind of value");
    return tables_[pos.integer];
}

std::string Lemmatizer::lemma(const EnglishToken& token) const {
    const std::string lower = lowercase(token.text);
    if (token.pos.empty() || token.pos == "EOL" || token.pos == "SPACE" || is_base_form(token)) return lower;
    const auto found = tables_.find(string_id(lowercase(token.pos)));
    const auto is_empty = [](const Tables& tables) {
        return tables.rules.empty() && tables.exceptions.empty() && tables.index.empty();
    };
    if (found == tables_.end() || is_empty(found->second)) return token.pos == "PROPN" ? token.text : lower;
    return by_rules(found->second, token.text, lower);
}

// The form that spaCy lists first: the last of the exceptions, else the last form in the index, else the first form that is
// no word of letters, else the first form that the index does not know.
std::string Lemmatizer::by_rules(const Tables& tables, const std::string& text, const std::string& lower) const {
    std::vector<std::string> forms, unknown;
    for (const Ending& rule : tables.rules) {
        if (!lower.ends_with(rule.old)) continue;
        const std::string form = lower.substr(0, lower.size() - rule.old.size()) + rule.replaced;
        if (form.empty()) continue;
        if (tables.index.contains(form))
            forms.insert(forms.begin(), form);
        else
            (all_letters(form) ? unknown : forms).push_back(form);
    }
    if (const auto exception = tables.exceptions.find(lower); exception != tables.exceptions.end())
        for (const std::string& form : exception->second)
            if (std::find(forms.begin(), forms.end(), form) == forms.end()) forms.insert(forms.begin(), form);
    if (!forms.empty()) return forms.front();
    return unknown.empty() ? text : unknown.front();
}

}  // namespace craft
