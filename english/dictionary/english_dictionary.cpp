#include "english/dictionary/english_dictionary.h"

#include <mutex>
#include <optional>

#include "core/weights_folder.h"

namespace craft {

EnglishDictionaryPlaces EnglishDictionaryPlaces::installed() {
    EnglishDictionaryPlaces places;
    places.synonyms = "/usr/share/wordnet";
    places.scowl = "/usr/share/dict/scowl";
    places.inflections = weights_place("lemminflect/infl.csv.gz");
    places.counts = weights_place("wordfreq/en.msgpack.gz");
    return places;
}

struct EnglishDictionary::Parts {
    // What is made when it is first asked for; where that throws the next call tries again.
    template <class Value>
    class Lazy {
    public:
        template <class Make>
        const Value& get(const Make& make) {
            std::call_once(once_, [&] { value_.emplace(make()); });
            return *value_;
        }

    private:
        std::once_flag once_;
        std::optional<Value> value_;
    };

    EnglishDictionaryPlaces places;
    Lazy<Synonyms> synonyms;
    Lazy<Inflections> inflections;
    Lazy<std::unique_ptr<WordDifficulty>> scowl, counts;
    Lazy<std::unique_ptr<ConstituentParser>> constituents;
};

EnglishDictionary::EnglishDictionary(EnglishDictionaryPlaces places) : parts_(std::make_unique<Parts>()) {
    parts_->places = std::move(places);
}
EnglishDictionary::EnglishDictionary(EnglishDictionary&&) noexcept = default;
EnglishDictionary& EnglishDictionary::operator=(EnglishDictionary&&) noexcept = default;
EnglishDictionary::~EnglishDictionary() = default;

const Synonyms& EnglishDictionary::synonyms() const {
    return parts_->synonyms.get([this] { return Synonyms::load(parts_->places.synonyms); });
}

const Inflections& EnglishDictionary::inflections() const {
    return parts_->inflections.get([this] { return Inflections::load(parts_->places.inflections); });
}

const WordDifficulty& EnglishDictionary::by_size() const {
    return *parts_->scowl.get([this] { return scowl_difficulty(parts_->places.scowl); });
}

const WordDifficulty& EnglishDictionary::by_count() const {
    return *parts_->counts.get([this] { return count_difficulty(parts_->places.counts); });
}

ConstituentParser& EnglishDictionary::constituents() const {
    return *parts_->constituents.get([] { return std::make_unique<ConstituentParser>(); });
}

std::vector<EasierWord> EnglishDictionary::easier_words(std::string_view lemma, std::string_view tag, WordKind kind,
                                                        const WordDifficulty& difficulty, double margin) const {
    EasierWordOptions options;
    options.margin = margin;
    return easier_words(lemma, tag, kind, difficulty, options);
}

std::vector<EasierWord> EnglishDictionary::easier_words(std::string_view lemma, std::string_view tag, WordKind kind,
                                                        const WordDifficulty& difficulty,
                                                        const EasierWordOptions& options) const {
    return craft::easier_words(synonyms(), inflections(), difficulty, lemma, tag, kind, options);
}

const EnglishDictionaryPlaces& EnglishDictionary::places() const {
    return parts_->places;
}

void EnglishDictionary::check() const {
    synonyms();
    inflections();
    by_size();
    by_count();
    constituents();
}

}  // namespace craft
