// Forms of English words from their lemmas: lemminflect's table ("utilise", VBD -> "utilised").
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

class Inflections {
public:
    // Throws Error naming the file and line on what is no such table.
    static Inflections load(const std::filesystem::path& file);
    Inflections(Inflections&&) noexcept;
    Inflections& operator=(Inflections&&) noexcept;
    ~Inflections();
    // The forms of a lemma for a tag of the Penn Treebank (NN NNS VB VBD VBG VBN VBP VBZ JJ JJR JJS RB RBR RBS), the usual
    // one first; of lemmas that the table lacks by the regular rules. Of a phrase its head's word is inflected: the first
    // one of verbs ("find out" -> "found out"), the last one of others.
    std::vector<std::string> forms(std::string_view lemma, std::string_view tag) const;

private:
    struct Table;
    explicit Inflections(std::unique_ptr<Table> table);
    std::unique_ptr<Table> table_;
};

}  // namespace craft
