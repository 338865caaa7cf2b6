// What `eval edits` writes of learners' sentences beside the file that errant 3.0.2 wrote with spaCy 3.8.18.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "english/word_list.h"
#include "eval/annotation/edit_language.h"
#include "tests/english/english_model.h"
#include "tests/reference.h"

namespace craft {
namespace {

using EditPlace = std::tuple<size_t, int64_t, int64_t, int64_t, std::string>;  // sentence, annotator, span, correction

std::map<EditPlace, std::string> types_by_place(const M2File& file) {
    std::map<EditPlace, std::string> types;
    for (size_t sentence = 0; sentence < file.sentences.size(); ++sentence)
        for (const auto& edit : file.sentences[sentence].edits)
            if (edit.type != "noop") types[{sentence, edit.annotator, edit.start, edit.end, edit.correction}] = edit.type;
    return types;
}

TEST(EditsParity, OfLearnersSentencesWithFourReferences) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    CRAFT_REFERENCE_FILE(gold, "oracles/errant/jfleg_dev.m2");
    const std::filesystem::path jfleg = test::reference_folder() / "data" / "jfleg";
    if (!std::filesystem::exists(english_word_list_file()))
        GTEST_SKIP() << "no reference data: " << english_word_list_file() << " (run scripts/setup.sh --english)";
    const WordList words = WordList::load(english_word_list_file());
    std::vector<SentenceFile> references;
    for (const char* name : {"dev.ref0", "dev.ref1", "dev.ref2", "dev.ref3"})
        references.push_back(read_sentences((jfleg / name).string()));
    const EditLanguage language =
        english_edit_language(std::make_shared<const LazyEnglishPipeline>(test::installed_english_model()),
                              [&](const std::string& word) { return words.knows(word); });
    const M2File found = extract_edits(read_sentences((jfleg / "dev.src").string()), references, language, 2).file;
    const M2File expected = read_m2(gold.string());
    ASSERT_EQ(found.sentences.size(), expected.sentences.size());
    const auto ours = types_by_place(found), theirs = types_by_place(expected);
    double same_place = 0, same_type = 0;
    std::map<std::string, int> others;
    for (const auto& [place, type] : ours) {
        const auto other = theirs.find(place);
        if (other == theirs.end()) continue;
        ++same_place;
        if (other->second == type)
            ++same_type;
        else
            ++others[other->second + " > " + type];
    }
    const double f = 2 * same_place / static_cast<double>(ours.size() + theirs.size());
    RecordProperty("edits", static_cast<int>(theirs.size()));
    std::cout << theirs.size() << " edits; spans and corrections F " << f << ", types " << same_type / same_place << "\n";
    for (const auto& [pair, count] : others) std::cout << "  " << pair << ": " << count << "\n";
    EXPECT_EQ(f, 1) << "spans and corrections do not depend on the list of words";
    EXPECT_GE(same_type / same_place, 0.995) << "types where Debian's list differs from ERRANT's";
}

}  // namespace
}  // namespace craft
