#include "simplify/rule_systems.h"

#include <algorithm>
#include <functional>

#include "core/error.h"
#include "simplify/dictionary_substitute.h"
#include "simplify/part_deletion.h"
#include "simplify/sentence_splitting.h"
#include "text/paragraphs.h"

namespace craft {

namespace {

class RuleSystem : public TextSimplifier {
public:
    using Rule = std::function<std::string(const std::string& text)>;
    RuleSystem(std::string name, Rule rule) : name_(std::move(name)), rule_(std::move(rule)) {}
    std::string name() const override { return name_; }
    // Paragraph by paragraph, so that no parse goes over the end of one and every break stays.
    Simplification simplify(const SimplificationTask& task) const override {
        Simplification made;
        made.text = with_paragraphs(task.text, rule_);
        if (made.text.empty()) made.failure = "empty";
        note_leniency(made.noted, "unchanged", made.text == task.text && !made.text.empty());
        return made;
    }

private:
    std::string name_;
    Rule rule_;
};

using Rule = RuleSystem::Rule;

// The rules that read parses.
class ParseRules {
public:
    ParseRules(std::string called, const RuleResources& resources) : called_(std::move(called)), resources_(resources) {
        if (resources.english == nullptr)
            throw Error(called_, "an English model", "none", "scripts/setup.sh --english installs one");
    }

    Rule split() const {
        return [model = resources_.english](const std::string& text) {
            return split_sentences_by_parse(text, model->get().annotate(text));
        };
    }
    Rule shorten() const {
        return [model = resources_.english](const std::string& text) {
            return delete_parts(text, model->get().annotate(text));
        };
    }
    Rule ease() const {
        if (!resources_.easier)
            throw Error(called_, "a dictionary of easier words", "none", "scripts/setup.sh --english installs its files");
        return [from = resources_](const std::string& text) {
            return substitute_words(text, from.english->get().annotate(text), from.easier, from.plain.get());
        };
    }
    Rule rewrite() const {
        return [first = ease(), second = shorten(), third = split()](const std::string& text) {
            return third(second(first(text)));
        };
    }

private:
    std::string called_;
    const RuleResources& resources_;
};

}  // namespace

const std::vector<std::string>& rule_system_names() {
    static const std::vector<std::string> all = {"copy", "delete", "lexical", "rewrite", "split"};
    return all;
}

RuleResources RuleResources::with_easier_words(std::shared_ptr<const LazyEnglishPipeline> english) {
    auto plain = std::make_shared<const PlainWords>(PlainWords::shipped());
    WordSubstitute easier = dictionary_substitute(std::make_shared<const EnglishDictionary>(), plain);
    return {std::move(english), std::move(easier), std::move(plain)};
}

std::unique_ptr<TextSimplifier> make_rule_system(const std::string& name, const RuleResources& resources) {
    const std::string called = "rules:" + name;
    if (std::find(rule_system_names().begin(), rule_system_names().end(), name) == rule_system_names().end())
        throw_unknown("rules of simplification", name, rule_system_names());
    if (name == "copy") return std::make_unique<RuleSystem>(called, [](const std::string& text) { return text; });
    const ParseRules rules(called, resources);
    const Rule rule = name == "split"     ? rules.split()
                      : name == "delete"  ? rules.shorten()
                      : name == "lexical" ? rules.ease()
                                          : rules.rewrite();
    return std::make_unique<RuleSystem>(called, rule);
}

}  // namespace craft
