#include "eval/editeval/wafer_text.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "text/lists.h"
#include "text/sentences.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr std::string_view kSeparator = "[SEP]", kHeading = "Section::::", kHeadings = ".:", kBullet = "BULLET::::";

struct Element {
    enum class Kind { heading, paragraph };
    Kind kind = Kind::paragraph;
    bool is_bullet = false;
    std::vector<std::string> headings = {};           // of a heading, from the outermost one on
    std::string before = {}, claim = {}, after = {};  // of a paragraph; without a claim all of it stands in `before`
    std::string text = {};                            // the whole, by which elements are compared
};

std::vector<std::string> split_at(std::string_view text, std::string_view separator) {
    std::vector<std::string> parts;
    for (;;) {
        const size_t at = text.find(separator);
        parts.emplace_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + separator.size());
    }
}

std::string replaced(std::string_view text, std::string_view part, std::string_view by) {
    return join(split_at(text, part), std::string(by));
}

std::string without_citation_marks(std::string_view text) {
    return replaced(replaced(text, "[CIT].", ""), "[CIT]", "");
}

Element heading_of(std::string_view line) {
    Element element = {.kind = Element::Kind::heading};
    for (const std::string& part : split_at(trim_view(line).substr(kHeading.size()), kHeadings)) {
        std::string_view heading = trim_view(part);
        while (heading.starts_with('.')) heading.remove_prefix(1);
        while (heading.ends_with('.')) heading.remove_suffix(1);
        element.headings.emplace_back(heading);
    }
    element.text = element.headings.back();
    return element;
}

std::string without_bullet(std::string_view text) {
    std::string plain = trim(replaced(text, kBullet, ""));
    if (plain.starts_with('-')) plain = trim(std::string_view(plain).substr(1));
    return plain;
}

Element paragraph_of(const std::string& line, const std::string& claim) {
    Element element;
    element.text = trim(line);
    if (const size_t at = line.find(claim); at != std::string::npos) {
        element.before = trim(line.substr(0, at));
        element.claim = claim;
        element.after = trim(line.substr(at + claim.size()));
    } else {
        element.before = element.text;
    }
    if (line.find(kBullet) == std::string::npos) return element;
    element.is_bullet = true;
    for (std::string* part : {&element.before, &element.claim, &element.after, &element.text}) *part = without_bullet(*part);
    return element;
}

// None if the claim is in no paragraph.
std::optional<std::vector<Element>> parse_paragraphs(const Element& heading, const std::string& text,
                                                     const std::string& claim) {
    std::vector<Element> elements = {heading};
    bool found = false;
    for (const std::string& line : split_at(text, "\n")) {
        if (trim_view(line).empty()) continue;
        if (line.find(kHeading) != std::string::npos) {
            if (!trim_view(line).starts_with(kHeading)) throw Error("a heading within a paragraph");
            elements.push_back(heading_of(line));
        } else {
            elements.push_back(paragraph_of(line, claim));
            found = found || !elements.back().claim.empty();
        }
    }
    if (!found) return std::nullopt;
    return elements;
}

std::vector<Element> parse_article(const Element& heading, std::string text, std::string claim) {
    if (auto elements = parse_paragraphs(heading, text, claim)) return *elements;
    const std::string on_one_line = replaced(claim, "\n", " ");
    text = replaced(text, claim, on_one_line);
    claim = on_one_line;
    if (auto elements = parse_paragraphs(heading, text, claim)) return *elements;
    Element all;
    all.text = text;
    all.before = trim(text);
    all.claim = claim;
    return {heading, all};
}

// The heading that stands before the text is left out where the text repeats it, and so is "Abstract" but in a bullet.
void drop_repeated_headings(std::vector<Element>& elements) {
    const Element first = elements[0];
    const bool again = std::any_of(elements.begin() + 1, elements.end(), [&](const Element& element) {
        return element.kind == Element::Kind::heading && element.text == first.text;
    });
    if (again) elements.erase(elements.begin());
    std::erase_if(elements, [](const Element& element) { return !element.is_bullet && element.text == "Abstract"; });
}

bool begins_in_lower_case(std::string_view text) {
    return uppercase_first(text) != text;
}

void trim_beginning(Element& element) {
    if (element.kind == Element::Kind::heading || !begins_in_lower_case(element.before)) return;
    std::vector<std::string> sentences = split_sentences(element.before);
    sentences.erase(sentences.begin());
    element.before = join(sentences, " ");
}

void trim_end(Element& element) {
    if (element.kind == Element::Kind::heading) return;
    std::string& last = element.claim.empty() ? element.before : element.after;
    constexpr std::string_view kMarks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    if (last.empty() || kMarks.find(last.back()) != std::string_view::npos) return;
    std::vector<std::string> sentences = split_sentences(last);
    sentences.pop_back();
    last = join(sentences, " ");
}

// The lines of an element, the claim as one of its own kind.
void linearise(const Element& element, std::vector<std::string>& source, std::vector<std::string>& target) {
    if (element.kind == Element::Kind::heading) {
        for (size_t level = 0; level < element.headings.size(); ++level) {
            const std::string bars(level + 2, '=');
            const std::string line = bars + " " + element.headings[level] + " " + bars + "\n";
            source.push_back(line);
            target.push_back(line);
        }
        return;
    }
    struct Part {
        std::string text;
        bool is_claim;
    };
    std::vector<Part> parts;
    for (const std::string* part : {&element.before, &element.claim, &element.after})
        if (std::string text = trim(*part); !text.empty()) parts.push_back({std::move(text), part == &element.claim});
    if (parts.empty()) return;
    parts.back().text += "\n";
    if (element.is_bullet) parts.front().text = "* " + parts.front().text;
    for (const Part& part : parts) {
        if (!part.is_claim) source.push_back(part.text);
        target.push_back(part.text);
    }
}

}  // namespace

WaferText wafer_text(const std::string& input, const std::string& given_claim) {
    const std::vector<std::string> parts = split_at(input, kSeparator);
    if (parts.size() != 3) throw Error("a text that is not of three parts");
    const std::string claim = trim(without_citation_marks(given_claim));
    if (claim.empty()) throw Error("an empty claim");
    const std::string section = trim(parts[1]);
    if (!section.starts_with(kHeading)) throw Error("a section without its mark");
    std::vector<Element> elements = parse_article(heading_of(section), without_citation_marks(trim(parts[2])), claim);
    drop_repeated_headings(elements);
    if (elements.empty()) throw Error("an empty text");
    trim_beginning(elements.front());
    trim_end(elements.back());
    std::vector<std::string> source, target;
    for (const Element& element : elements) linearise(element, source, target);
    WaferText text = {trim(parts[0]), join(source, " "), join(target, " ")};
    if (trim_view(text.source).empty()) throw Error("an empty text");
    if (text.source == text.target) throw Error("nothing to be put back");
    return text;
}

}  // namespace craft
