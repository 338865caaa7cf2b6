#include "data/row_domains.h"

#include <set>

#include "core/utf8.h"
#include "data/instruction.h"

namespace craft {

namespace {

std::string named_domain(const Json& domain, const std::string& where) {
    if (domain.is_number_unsigned() && domain.get<uint64_t>() < 100) return domain_name(domain.get<int>());
    if (!domain.is_string() || domain.get_ref<const std::string&>().empty())
        throw Error(where + ": field 'domain'", "a name or a number", shortened(dump_line(domain), 40));
    auto name = domain.get<std::string>();
    if (name.size() == 2 && name[0] == 'C' && name[1] >= '0' && name[1] <= '9') name[0] = 'c';
    return name;
}

}  // namespace

std::vector<std::string> row_domains(const Json& row, const std::string& where) {
    if (has_value(row, "domain")) return {named_domain(row.at("domain"), where)};
    if (!has_value(row, "constraints") || !row.at("constraints").is_array()) return {};
    const Json& constraints = row.at("constraints");
    std::set<std::string> kinds;
    for (const Json& one : constraints)
        if (one.is_object() && has_value(one, "kind") && one.at("kind").is_string())
            kinds.insert(one.at("kind").get<std::string>());
    if (!kinds.empty()) return {kinds.begin(), kinds.end()};
    return {domain_name(static_cast<int>(constraints.size()))};
}

}  // namespace craft
