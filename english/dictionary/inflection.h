// Forms of English words from their lemmas: lemminflect's table ("utilise", VBD -> "utilised").
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "english/dictionary/synonyms.h"

namespace craft {

// Which kind of word a tag of the Penn Treebank stands on, of those that Inflections knows; none for others (NNP, MD, IN).
std::optional<WordKind> kind_of_tag(std::string_view tag);

class Inflections {
public:
    // Lines "LEMMA,KIND,FORMS,...", of verbs past, past participle (empty: the same), present participle, third person; of
    // nouns the plural; of adj and adv comparative and superlative (empty: with "more"); several forms apart by "/". The
    // file may be packed by gzip. Throws Error naming the file, and the line of what is no such table.
    static Inflections load(const std::filesystem::path& file);
    // The same of a table in memory; `where` stands for the file.
    static Inflections parse(std::string table, const std::string& where);
    Inflections(Inflections&&) noexcept;
    Inflections& operator=(Inflections&&) noexcept;
    ~Inflections();
    // The forms of a lemma for a tag of the Penn Treebank (NN NNS VB VBD VBG VBN VBP VBZ JJ JJR JJS RB RBR RBS), the usual
    // one first; none of an empty lemma. A participle that is one of the past forms leaves these in their order ("burned",
    // "burnt"), and some lines of lemminflect's are read as they should be ("woken" before "waked"). Of lemmas that the
    // table lacks: the table's forms of what comes after a hyphen or, of verbs, after a prefix ("rebuy" -> "rebought"),
    // else one by the regular rules. Of a phrase one word is inflected: the first one of verbs ("find out" -> "found out"),
    // of nouns the last one or the one before a preposition
    // ("points of view"), of others the last one. Of "be" VBD is "was", "were" and VBP "are", "am"; of "person" NNS is
    // "people". Throws Error on any other tag (kind_of_tag() tells).
    std::vector<std::string> forms(std::string_view lemma, std::string_view tag) const;
    // Whether the table has the lemma as that kind of word, of a phrase the word that is inflected. It has the verbs that
    // are in use and few others ("straw", "off"), of adjectives those that can be compared, and far from all nouns.
    bool knows(std::string_view lemma, WordKind kind) const;

private:
    struct Table;
    explicit Inflections(std::unique_ptr<Table> table);
    std::unique_ptr<Table> table_;
};

}  // namespace craft
