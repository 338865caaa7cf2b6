#include "simplify/rule_systems.h"

#include <functional>

#include "core/error.h"
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
        if (made.text == task.text && !made.text.empty()) made.noted.emplace_back("unchanged");
        return made;
    }

private:
    std::string name_;
    Rule rule_;
};

}  // namespace

const std::vector<std::string>& rule_system_names() {
    static const std::vector<std::string> all = {"copy", "delete", "lexical", "split"};
    return all;
}

std::unique_ptr<TextSimplifier> make_rule_system(const std::string& name, const RuleResources& resources) {
    const std::string called = "rules:" + name;
    const auto english = [&] {
        if (resources.english == nullptr)
            throw Error(called, "a model of English", "none", "scripts/setup.sh --english gets one");
        return resources.english;
    };
    RuleSystem::Rule rule;
    if (name == "copy") {
        rule = [](const std::string& text) { return text; };
    } else if (name == "split") {
        rule = [model = english()](const std::string& text) {
            return split_sentences_by_parse(text, model->get().annotate(text));
        };
    } else if (name == "delete") {
        rule = [model = english()](const std::string& text) { return delete_parts(text, model->get().annotate(text)); };
    } else if (name == "lexical") {
        if (!resources.easier)
            throw Error(called, "a dictionary of easier words", "none", "scripts/setup.sh --english gets its files");
        rule = [model = english(), easier = resources.easier](const std::string& text) {
            return substitute_words(text, model->get().annotate(text), easier);
        };
    } else {
        throw_unknown("rules of simplification", name, rule_system_names());
    }
    return std::make_unique<RuleSystem>(called, std::move(rule));
}

}  // namespace craft
