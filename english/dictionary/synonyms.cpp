#include "english/dictionary/synonyms.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>

#include "core/error.h"
#include "core/files.h"
#include "english/dictionary/sources.h"
#include "english/dictionary/wordnet_files.h"
#include "text/utf8.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

struct KindFile {
    const char* ending;
    char type;
    int number;  // in cntlist.rev
};
constexpr std::array<KindFile, 4> kKinds = {{{"noun", 'n', 1}, {"verb", 'v', 2}, {"adj", 'a', 3}, {"adv", 'r', 4}}};
constexpr const char* kCounts = "cntlist.rev";
constexpr uintmax_t kLargestFile = uintmax_t{256} << 20;

void check_part(const fs::path& file) {
    std::error_code none;
    if (!fs::is_regular_file(file, none))
        throw Error(file.string(), "a file of WordNet's", "no such file", kHowToGetEnglish);
}

std::string read_part(const fs::path& file) {
    check_part(file);
    std::error_code none;
    if (fs::file_size(file, none) > kLargestFile)
        throw Error(file.string(), "a file of WordNet's of at most 256 MB", "a larger one");
    return read_file(file);
}

std::string with_underscores(std::string_view lemma) {
    std::string small = lowercase(trim_view(lemma));
    std::replace(small.begin(), small.end(), ' ', '_');
    return small;
}

void append_new(std::vector<std::string>& words, std::string word) {
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
}

}  // namespace

struct Synonyms::Files {
    struct Kind {
        std::once_flag once;
        std::optional<WordnetKind> files;
    };
    fs::path folder;
    std::array<Kind, 4> kinds;
    std::once_flag counts_once;
    std::optional<SenseCounts> counts;

    const WordnetKind& kind(size_t k) {
        std::call_once(kinds[k].once, [&] {
            const fs::path index = folder / (std::string("index.") + kKinds[k].ending);
            const fs::path data = folder / (std::string("data.") + kKinds[k].ending);
            kinds[k].files.emplace(read_part(index), read_part(data), index.string(), data.string());
        });
        return *kinds[k].files;
    }
    int64_t uses(std::string_view lemma, size_t k, size_t number) {
        std::call_once(counts_once, [&] {
            const fs::path file = folder / kCounts;
            counts.emplace(read_part(file), file.string());
        });
        return counts->uses(lemma, kKinds[k].number, number);
    }
    WordSense sense(const std::string& lemma, size_t k, int64_t offset) {
        const Synset synset = kind(k).synset(offset);
        WordSense sense;
        sense.synset = offset;
        sense.gloss = synset.gloss;
        for (const std::string& word : synset.words)
            if (with_underscores(word) != lemma) append_new(sense.words, word);
        for (const SynsetPointer& pointer : synset.pointers) {
            const bool wider = pointer.symbol == "@" && pointer.type == kKinds[k].type;
            if (!wider && !(pointer.symbol == "&" && synset.type == 's')) continue;
            sense.wider_synsets.push_back(pointer.offset);
            for (std::string& word : kind(k).synset(pointer.offset).words)
                if (with_underscores(word) != lemma) append_new(sense.hypernyms, std::move(word));
        }
        return sense;
    }
};

Synonyms::Synonyms(std::unique_ptr<Files> files) : files_(std::move(files)) {}
Synonyms::Synonyms(Synonyms&&) noexcept = default;
Synonyms& Synonyms::operator=(Synonyms&&) noexcept = default;
Synonyms::~Synonyms() = default;

Synonyms Synonyms::load(const fs::path& folder) {
    auto files = std::make_unique<Files>();
    files->folder = folder;
    for (const KindFile& kind : kKinds)
        for (const char* part : {"index.", "data."}) check_part(folder / (std::string(part) + kind.ending));
    check_part(folder / kCounts);
    return Synonyms(std::move(files));
}

std::vector<WordSense> Synonyms::senses(std::string_view lemma, WordKind kind) const {
    const auto k = static_cast<size_t>(kind);
    const std::string wanted = with_underscores(lemma);
    std::vector<WordSense> senses;
    const std::optional<IndexLine> entry = files_->kind(k).find(wanted);
    if (!entry) return senses;
    for (size_t i = 0; i < entry->offsets.size(); ++i) {
        senses.push_back(files_->sense(wanted, k, entry->offsets[i]));
        senses.back().uses = files_->uses(wanted, k, i + 1);
    }
    std::stable_sort(senses.begin(), senses.end(), [](const WordSense& a, const WordSense& b) { return a.uses > b.uses; });
    return senses;
}

}  // namespace craft
