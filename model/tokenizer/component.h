// One component of a tokenizer.json: its fields, read with errors that name file and component. Inside model/tokenizer/
// only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace craft {

// Objects sorted by key: a vocabulary has 10^5 of them, and core's ordered Json looks for each among all before it.
using TokenizerDocument = nlohmann::json;

// Throws Error naming `where`: not UTF-8, not JSON, nested too deep.
TokenizerDocument parse_tokenizer_document(const std::string& text, const std::string& where);

class Component {
public:
    // Throws Error if the value is not an object. The value must outlive the component.
    Component(const TokenizerDocument& value, std::string where);
    const std::string& where() const { return where_; }
    const TokenizerDocument& json() const { return *json_; }
    std::string type() const { return text("type"); }
    bool has(const std::string& name) const;  // there and not null
    // All throw Error naming the field on a wrong type; those without a default also if it is absent.
    std::string text(const std::string& name) const;
    std::optional<std::string> optional_text(const std::string& name) const;
    bool flag(const std::string& name) const;
    bool flag(const std::string& name, bool otherwise) const;
    int64_t number(const std::string& name) const;  // 0 to 2^31 - 1
    int64_t number(const std::string& name, int64_t otherwise) const;
    std::string character(const std::string& name) const;  // a string of one code point
    const TokenizerDocument& list(const std::string& name) const;
    const TokenizerDocument& object(const std::string& name) const;
    // The components of a list, each with "NAME[i]" in its `where`.
    std::vector<Component> components(const std::string& name) const;
    [[noreturn]] void fail(const std::string& name, const std::string& expected, const std::string& got) const;
    // "unknown KIND 'type'; known: ..." naming the component.
    [[noreturn]] void fail_unknown(const std::string& kind, const std::vector<std::string>& known) const;

private:
    const TokenizerDocument* find(const std::string& name) const;
    const TokenizerDocument& get(const std::string& name) const;
    const TokenizerDocument* json_;
    std::string where_;
};

}  // namespace craft
