#include "tools/grammar/grammar_tools.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "core/error.h"
#include "core/utf8.h"
#include "english/dictionary/sources.h"
#include "english/lazy_pipeline.h"
#include "english/pipeline.h"
#include "tools/grammar/analysis_text.h"
#include "tools/grammar/parse_repairs.h"
#include "tools/grammar/parse_workers.h"

namespace craft {

namespace {

constexpr size_t kMaxRemembered = 512;

std::unique_ptr<SentenceParser> parser_of(const GrammarToolOptions& options) {
    if (options.parse_worker.empty()) return local_sentence_parser();
    return parse_workers({options.parse_worker, options.workers, options.parse_timeout_seconds});
}

}  // namespace

struct GrammarTools::Parts {
    // What is known of a sentence, each part found when it is first asked for.
    struct Analysis {
        std::mutex mutex;
        std::optional<ParsedSentence> tree;
        std::optional<SpellingReport> spelling;
        std::optional<ConstituentParse> parse;
        std::optional<ErrorReport> errors;
    };
    explicit Parts(GrammarToolOptions given)
        : options(std::move(given)),
          pipeline(options.english),
          dictionary(std::make_shared<EnglishDictionary>()),
          forms(dictionary),
          spelling(dictionary),
          prepositions(GovernedPrepositions::shipped()),
          nouns(NounFacts::installed()),
          parser(parser_of(options)),
          know{forms, prepositions, nouns, [this](const std::string& word) { return spelling.knows(word); },
               [this](const std::string& word) { return spelling.is_common(word); }} {}

    std::shared_ptr<Analysis> analysis(const std::string& sentence);
    const ParsedSentence& tree(Analysis& of, const std::string& sentence) {
        if (!of.tree) of.tree.emplace(pipeline.get().annotate(one_line(sentence)));
        return *of.tree;
    }
    const SpellingReport& spell(Analysis& of, const std::string& sentence) {
        if (!of.spelling) {
            of.spelling = spelling.check(tree(of, sentence).tokens());
            if (!of.spelling->is_english) ++not_english;
        }
        return *of.spelling;
    }
    const ConstituentParse& parse(Analysis& of, const std::string& sentence) {
        if (!of.parse) {
            of.parse = parser->parse({{parse_text(tree(of, sentence).tokens()).text}}).front();
            if (!of.parse->problem.empty()) ++without_parse;
        }
        return *of.parse;
    }
    const ErrorReport& errors(Analysis& of, const std::string& sentence) {
        if (!of.errors)
            of.errors =
                find_errors(tree(of, sentence), spell(of, sentence), parse(of, sentence), know, *parser, options.repairs);
        return *of.errors;
    }
    void count(const std::string& tool) {
        const std::lock_guard lock(mutex);
        ++calls[tool];
    }

    GrammarToolOptions options;
    LazyEnglishPipeline pipeline;
    std::shared_ptr<const EnglishDictionary> dictionary;
    WordForms forms;
    SpellChecker spelling;
    GovernedPrepositions prepositions;
    NounFacts nouns;
    std::unique_ptr<SentenceParser> parser;
    RuleKnowledge know;

    std::mutex mutex;
    std::unordered_map<std::string, std::shared_ptr<Analysis>> remembered;
    std::list<std::string> oldest;
    std::map<std::string, int64_t> calls;
    std::atomic<int64_t> sentences = 0, without_parse = 0, not_english = 0;
};

std::shared_ptr<GrammarTools::Parts::Analysis> GrammarTools::Parts::analysis(const std::string& sentence) {
    if (const size_t at = invalid_utf8_at(sentence); at != std::string::npos)
        throw Error("sentence", "UTF-8", "other bytes at byte " + std::to_string(at));
    const std::lock_guard lock(mutex);
    if (const auto found = remembered.find(sentence); found != remembered.end()) return found->second;
    if (remembered.size() >= kMaxRemembered) {
        remembered.erase(oldest.front());
        oldest.pop_front();
    }
    oldest.push_back(sentence);
    ++sentences;
    return remembered.emplace(sentence, std::make_shared<Analysis>()).first->second;
}

GrammarTools::GrammarTools(GrammarToolOptions options) {
    std::error_code none;
    for (const std::filesystem::path& file : {options.english / "config.cfg", link_grammar_dictionary_file()})
        if (!std::filesystem::exists(file, none))
            throw Error("grammar tools", file.string(), "no such file", kHowToGetEnglish);
    parts_ = std::make_unique<Parts>(std::move(options));
}

GrammarTools::~GrammarTools() = default;

const std::vector<std::string>& GrammarTools::names() {
    static const std::vector<std::string> names = {"pos_tagging", "dependency_parsing", "error_parsing", "spell_check"};
    return names;
}

EnglishDocument GrammarTools::tokens(const std::string& sentence) {
    const auto of = parts_->analysis(sentence);
    const std::lock_guard lock(of->mutex);
    return parts_->tree(*of, sentence).tokens();
}

ErrorReport GrammarTools::errors(const std::string& sentence) {
    const auto of = parts_->analysis(sentence);
    const std::lock_guard lock(of->mutex);
    return parts_->errors(*of, sentence);
}

SpellingReport GrammarTools::spelling(const std::string& sentence) {
    const auto of = parts_->analysis(sentence);
    const std::lock_guard lock(of->mutex);
    return parts_->spell(*of, sentence);
}

ConstituentParse GrammarTools::parse(const std::string& sentence) {
    const auto of = parts_->analysis(sentence);
    const std::lock_guard lock(of->mutex);
    return parts_->parse(*of, sentence);
}

std::string GrammarTools::text(const std::string& tool, const std::string& sentence) {
    parts_->count(tool);
    if (tool == "pos_tagging") return tagging_text(tokens(sentence));
    if (tool == "dependency_parsing") return dependency_text(tokens(sentence), parse(sentence));
    if (tool == "error_parsing") return error_text(errors(sentence), tokens(sentence));
    if (tool == "spell_check") return spelling_text(spelling(sentence), tokens(sentence));
    throw_unknown("grammar tool", tool, names());
}

Json GrammarTools::json(const std::string& tool, const std::string& sentence) {
    parts_->count(tool);
    if (tool == "pos_tagging") return tagging_json(tokens(sentence));
    if (tool == "dependency_parsing") return dependency_json(tokens(sentence), parse(sentence));
    if (tool == "error_parsing") return error_json(errors(sentence), tokens(sentence));
    if (tool == "spell_check") return spelling_json(spelling(sentence), tokens(sentence));
    throw_unknown("grammar tool", tool, names());
}

GrammarToolCounts GrammarTools::counts() const {
    GrammarToolCounts counts;
    const std::lock_guard lock(parts_->mutex);
    counts.calls = parts_->calls;
    counts.sentences = parts_->sentences;
    counts.without_parse = parts_->without_parse;
    counts.lost_parses = parts_->parser->lost();
    counts.not_english = parts_->not_english;
    return counts;
}

Json GrammarToolCounts::to_json() const {
    return {{"calls", calls},
            {"sentences", sentences},
            {"without_parse", without_parse},
            {"lost_parses", lost_parses},
            {"not_english", not_english}};
}

std::vector<Tool> grammar_tools(const std::shared_ptr<GrammarTools>& tools) {
    std::vector<Tool> set;
    for (const std::string& name : GrammarTools::names())
        set.push_back({.name = name,
                       .parameters = {{"sentence", "text"}},
                       .check = [](const BoundCall& call) { text_argument(call.arguments.at(0), "sentence"); },
                       .run =
                           [tools, name](const BoundCall& call, const ToolTexts&) {
                               return ToolResult{.text = tools->text(name, text_argument(call.arguments.at(0), "sentence"))};
                           },
                       .forms = {{ArgumentForm::Kind::text, {}}}});
    return set;
}

namespace {

// Tests run commands within a program of their own, and say where craft-train is.
std::string own_program() {
    if (const char* program = std::getenv("CRAFT_PROGRAM"); program != nullptr && *program != '\0') return program;
    return std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace

std::shared_ptr<GrammarTools> open_grammar_tools(const GrammarToolSettings& settings) {
    GrammarToolOptions options;
    options.english = settings.english == "auto" ? english_model_folder() : std::filesystem::path(settings.english);
    options.parse_worker = parse_worker_command(own_program());
    options.workers = settings.workers;
    options.repairs = !settings.no_repairs;
    return std::make_shared<GrammarTools>(std::move(options));
}

}  // namespace craft
