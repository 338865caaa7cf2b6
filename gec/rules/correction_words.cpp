#include "gec/rules/correction_words.h"

#include <functional>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"

namespace craft {

namespace {

std::string word_of(const Json& value, const std::string& where) {
    if (!value.is_string() || value.get<std::string>().empty()) throw Error(where, "a word", dump_line(value));
    return value.get<std::string>();
}

std::vector<std::string> word_row(const Json& value, const std::string& where) {
    if (!value.is_array()) return {word_of(value, where)};
    std::vector<std::string> words;
    for (const Json& one : value) words.push_back(word_of(one, where));
    return words;
}

void read_set(const Json& value, const std::string& where, KnownWords& into) {
    if (!value.is_array()) throw Error(where, "a list of words", value.type_name());
    for (const Json& one : value) into.insert(word_of(one, where));
}

void read_choices(const Json& value, const std::string& where, WordChoices& into) {
    if (!value.is_object()) throw Error(where, "an object of words", value.type_name());
    for (const auto& [word, choices] : value.items())
        for (const std::string& choice : word_row(choices, where + " '" + word + "'")) into[word].push_back(choice);
}

// Each word of a set may have been meant by each other one.
void read_confused_sets(const Json& value, const std::string& where, WordChoices& into) {
    if (!value.is_array()) throw Error(where, "a list of lists of words", value.type_name());
    for (const Json& set : value) {
        const std::vector<std::string> words = word_row(set, where);
        for (const std::string& word : words)
            for (const std::string& other : words)
                if (word != other) into[word].push_back(other);
    }
}

}  // namespace

CorrectionWords CorrectionWords::load(const std::filesystem::path& file) {
    const Json json = read_json_file(file);
    if (!json.is_object()) throw Error(file.string(), "an object", json.type_name());
    CorrectionWords words;
    std::map<std::string, std::function<void(const Json&, const std::string&)>> readers;
    const auto set = [&](const char* key, KnownWords& into) {
        readers[key] = [&into](const Json& value, const std::string& where) { read_set(value, where, into); };
    };
    const auto choices = [&](const char* key, WordChoices& into) {
        readers[key] = [&into](const Json& value, const std::string& where) { read_choices(value, where, into); };
    };
    readers["confused_sets"] = [&](const Json& value, const std::string& where) {
        read_confused_sets(value, where, words.confused);
    };
    choices("confused", words.confused);
    choices("misspelled", words.misspelled);
    set("surely_misspelled", words.surely_misspelled);
    choices("wrong_phrases", words.wrong_phrases);
    set("plural_determiners", words.plural_determiners);
    set("strictly_plural_determiners", words.strictly_plural_determiners);
    set("singular_determiners", words.singular_determiners);
    choices("prepositions", words.prepositions);
    choices("wanted_preposition", words.wanted_preposition);
    choices("no_preposition", words.no_preposition);
    set("may_take_gerund", words.may_take_gerund);
    set("may_take_infinitive", words.may_take_infinitive);
    set("bare_verbs", words.bare_verbs);
    set("past_adverbs", words.past_adverbs);
    set("present_adverbs", words.present_adverbs);
    set("introductory", words.introductory);
    std::vector<std::string> known;
    for (const auto& entry : readers) known.push_back(entry.first);
    for (const auto& [key, value] : json.items()) {
        const auto reader = readers.find(key);
        if (reader == readers.end()) throw_unknown("list of words in " + file.string(), key, known);
        reader->second(value, file.string() + ": '" + key + "'");
        readers.erase(reader);
    }
    if (!readers.empty()) throw Error(file.string(), "a list '" + readers.begin()->first + "'", "none");
    return words;
}

CorrectionWords CorrectionWords::shipped() {
    return load(share_folder() / "gec" / "correction_words.json");
}

const std::vector<std::string>& choices_of(const WordChoices& choices, std::string_view word) {
    static const std::vector<std::string> none;
    const auto at = choices.find(word);
    return at == choices.end() ? none : at->second;
}

}  // namespace craft
