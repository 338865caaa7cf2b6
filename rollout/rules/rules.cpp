#include "rollout/rules/rules.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "core/ascii.h"
#include "core/rng.h"
#include "rollout/rules/sentence.h"

namespace craft {

namespace {

std::vector<std::string> split_at(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);)
        if (!part.empty()) parts.push_back(part);
    return parts;
}

bool is_vowel(char c) {
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

// base, third person, past, participle, -ing
using VerbForms = std::array<std::string, 5>;
VerbForms verb_forms(const std::string& entry, const std::string& where) {
    const auto given = split_at(entry, '/');
    if (given.size() == 5) return {given[0], given[1], given[2], given[3], given[4]};
    if (given.size() != 1) throw Error(where, "a verb's base form or its five forms", entry);
    const std::string& base = given[0];
    const bool e = base.back() == 'e';
    const bool y = base.back() == 'y' && base.size() > 1 && !is_vowel(base[base.size() - 2]);
    const bool hiss =
        base.ends_with("s") || base.ends_with("sh") || base.ends_with("ch") || base.ends_with("x") || base.ends_with("ss");
    const std::string stem = base.substr(0, base.size() - 1);
    const std::string past = e ? base + "d" : y ? stem + "ied" : base + "ed";
    return {base,
            y      ? stem + "ies"
            : hiss ? base + "es"
                   : base + "s",
            past, past, e && !base.ends_with("ee") ? stem + "ing" : base + "ing"};
}

std::array<std::string, 2> noun_forms(const std::string& entry) {
    const auto given = split_at(entry, '/');
    if (given.size() == 2) return {given[0], given[1]};
    const std::string& noun = given[0];
    const bool hiss = noun.ends_with("s") || noun.ends_with("sh") || noun.ends_with("ch") || noun.ends_with("x");
    return {noun, hiss ? noun + "es" : noun + "s"};
}

class Loader {
public:
    explicit Loader(Rules& rules) : rules_(rules) {}

    void phrases(const Json& file, const std::string& where) {
        where_ = where;
        for (const auto& [from, to] : pairs(file, "concise")) add(from, to, RewriteKind::concise);
        for (const auto& [from, to] : pairs(file, "expand")) add(from, to, RewriteKind::expand);
        for (const auto& [full, contraction] : pairs(file, "contract")) {
            add(full, contraction, RewriteKind::contract);
            add(contraction, full, RewriteKind::contract);
        }
        for (const auto& phrase : strings(file, "drop")) add(phrase, "", RewriteKind::drop);
        guards(file, "unless_after", rules_.unless_after);
        guards(file, "unless_before", rules_.unless_before);
    }

    void synonyms(const Json& file, const std::string& where) {
        where_ = where;
        for (const auto& group : strings(file, "verbs")) {
            std::vector<VerbForms> verbs;
            for (const auto& entry : split_at(group, '|')) verbs.push_back(verb_forms(entry, where));
            for (const auto& a : verbs)
                for (const auto& b : verbs)
                    if (&a != &b) verb_pair(a, b);
        }
        for (const auto& group : strings(file, "nouns")) {
            std::vector<std::array<std::string, 2>> nouns;
            for (const auto& entry : split_at(group, '|')) nouns.push_back(noun_forms(entry));
            for (const auto& a : nouns)
                for (const auto& b : nouns)
                    for (size_t i = 0; &a != &b && i < 2; ++i) add(a[i], b[i], RewriteKind::synonym);
        }
        for (const auto& group : strings(file, "other")) {
            const auto words = split_at(group, '|');
            for (const auto& a : words)
                for (const auto& b : words)
                    if (a != b) add(a, b, RewriteKind::synonym);
            for (const auto& word : words) rules_.plain_words.insert(word);
        }
    }

    void structure(const Json& file, const std::string& where) {
        where_ = where;
        rules_.openers = strings(file, "openers");
        rules_.that_openers = strings(file, "that_openers");
        rules_.insertions = strings(file, "insertions");
        rules_.tails = strings(file, "tails");
        rules_.fillers = strings(file, "fillers");
        rules_.clauses = strings(file, "clauses");
        for (const auto& opener : strings(file, "removable_openers"))
            rules_.removable_openers.push_back(split_at(opener, ' '));
        std::stable_sort(rules_.removable_openers.begin(), rules_.removable_openers.end(),
                         [](const auto& a, const auto& b) { return a.size() > b.size(); });
        for (const auto& row : rows(file, "splits", 4)) rules_.splits.push_back({row[0], row[1], needs(row[2]), row[3]});
        for (const auto& row : rows(file, "joiners", 2)) rules_.joiners.push_back({row[0], row[1]});
        for (const auto& [first, joined] : pairs(file, "own_joiners")) rules_.own_joiners.emplace_back(first, joined);
        for (const auto& row : rows(file, "mention_phrase", 3))
            rules_.mention_phrase.push_back({row[0] == "opener", row[1], row[2]});
        for (const auto& row : rows(file, "mention_word", 3))
            rules_.mention_word.push_back({row[0] == "opener", row[1], row[2]});
        const std::pair<const char*, WordSet*> sets[] = {{"pronouns", &rules_.pronouns},
                                                         {"determiners", &rules_.determiners},
                                                         {"function_words", &rules_.function_words},
                                                         {"not_adverbs", &rules_.not_adverbs},
                                                         {"abbreviations", &rules_.abbreviations}};
        for (const auto& [name, set] : sets)
            for (auto& word : strings(file, name)) set->insert(std::move(word));
        for (const auto& kind : {"singular", "plural", "name", "verb", "past", "ing", "other"})
            rules_.stand_ins[kind] = strings(file.at("stand_ins"), kind);
    }

    void finish() {
        for (auto& [word, list] : rules_.rewrites)
            std::stable_sort(list.begin(), list.end(),
                             [](const Rewrite& a, const Rewrite& b) { return a.from.size() > b.from.size(); });
        for (auto& [word, list] : rules_.rewrites)
            for (auto& rewrite : list) {
                rewrite.unless_after = guard(rewrite, rules_.unless_after);
                rewrite.unless_before = guard(rewrite, rules_.unless_before);
            }
        for (const auto& word : rules_.function_words) rules_.common_words.insert(word);
        for (const char* name : {"i", "i'm", "i've", "i'd", "i'll"}) rules_.common_words.erase(name);
    }

private:
    static std::vector<std::string> strings(const Json& file, const char* name) {
        return file.at(name).get<std::vector<std::string>>();
    }
    static std::vector<std::pair<std::string, std::string>> pairs(const Json& file, const char* name) {
        return file.at(name).get<std::vector<std::pair<std::string, std::string>>>();
    }
    std::vector<std::vector<Json>> rows(const Json& file, const char* name, size_t width) const {
        std::vector<std::vector<Json>> out;
        for (const auto& row : file.at(name)) {
            if (!row.is_array() || row.size() != width)
                throw Error(where_ + ": " + name, "rows of " + std::to_string(width), row.dump());
            out.emplace_back(row.begin(), row.end());
        }
        return out;
    }
    SplitRule::Needs needs(const std::string& name) const {
        if (name == "any") return SplitRule::Needs::any;
        if (name == "subject") return SplitRule::Needs::subject;
        if (name == "pronoun") return SplitRule::Needs::pronoun;
        if (name == "verb") return SplitRule::Needs::verb;
        throw_unknown("condition in " + where_, name, {"any", "subject", "pronoun", "verb"});
    }

    static void guards(const Json& file, const char* name,
                       std::unordered_map<std::string, WordSet, StringHash, std::equal_to<>>& out) {
        for (const auto& [phrase, words] : file.at(name).items())
            for (const auto& word : words) out[phrase].insert(word.get<std::string>());
    }

    static const WordSet* guard(const Rewrite& rewrite,
                                const std::unordered_map<std::string, WordSet, StringHash, std::equal_to<>>& guards) {
        std::string phrase;
        for (const auto& word : rewrite.from) phrase += (phrase.empty() ? "" : " ") + word;
        const auto found = guards.find(phrase);
        return found == guards.end() ? nullptr : &found->second;
    }

    void verb_pair(const VerbForms& a, const VerbForms& b) {
        const RewriteKind kind = RewriteKind::synonym;
        add(a[0], b[0], kind);
        add(a[1], b[1], kind);
        add(a[4], b[4], kind);
        if (a[2] == a[0]) return;  // "put": the past cannot be told from the base form
        if (a[2] == a[3] && b[2] != b[3]) {
            add(a[2], b[2], kind, Tense::past);
            add(a[3], b[3], kind, Tense::participle);
        } else {
            add(a[2], b[2], kind);
            if (a[3] != a[2]) add(a[3], b[3], kind);
        }
    }

    void add(const std::string& from, const std::string& to, RewriteKind kind, Tense tense = Tense::any) {
        Rewrite rewrite;
        for (const auto& word : split_at(from, ' ')) rewrite.from.push_back(ascii_lower(word));
        if (rewrite.from.empty()) throw Error(where_, "a phrase to rewrite", "an empty one");
        rewrite.to = to;
        rewrite.gain = static_cast<int>(split_at(to, ' ').size()) - static_cast<int>(rewrite.from.size());
        rewrite.kind = kind;
        rewrite.tense = tense;
        auto& list = rules_.rewrites[rewrite.from[0]];
        const bool known = std::any_of(list.begin(), list.end(), [&](const Rewrite& r) {
            return r.from == rewrite.from && r.to == rewrite.to && r.tense == rewrite.tense;
        });
        if (known) return;
        if (from[0] >= 'a') rules_.common_words.insert(rewrite.from[0]);  // names are written with a capital
        list.push_back(std::move(rewrite));
    }

    Rules& rules_;
    std::string where_;
};

}  // namespace

Rules Rules::load(const std::filesystem::path& folder) {
    Rules rules;
    Loader loader(rules);
    std::string bytes;
    const auto read = [&](const char* name, auto use) {
        const auto path = folder / name;
        const std::string text = read_file(path);
        bytes += text;
        try {
            use(parse_json(text, path.string()), path.string());
        } catch (const nlohmann::json::exception& problem) {
            throw Error(path.string() + ": " + problem.what());
        }
    };
    read("phrases.json", [&](const Json& file, const std::string& where) { loader.phrases(file, where); });
    read("synonyms.json", [&](const Json& file, const std::string& where) { loader.synonyms(file, where); });
    read("structure.json", [&](const Json& file, const std::string& where) { loader.structure(file, where); });
    loader.finish();
    rules.version = std::to_string(stable_hash(bytes));
    return rules;
}

}  // namespace craft
