// Expected texts are what Jinja 3.1 gives under transformers' settings; tests/parity/make_chats.py compares many more.
#include "text/jinja/template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace craft::jinja {
namespace {

std::vector<std::pair<std::string, Value>> variables_of(const Json& json) {
    std::vector<std::pair<std::string, Value>> variables;
    for (const auto& [key, value] : json.items()) variables.emplace_back(key, from_json(value, kOther));
    return variables;
}

std::string rendered(const std::string& source, const Json& variables = Json::object()) {
    return Template(source, "t.jinja").render(variables_of(variables)).text.bytes;
}

std::string error_of(const std::string& source, const Json& variables = Json::object(), const Limits& limits = {}) {
    try {
        return "rendered " + Template(source, "t.jinja").render(variables_of(variables), limits).text.bytes;
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(JinjaBlanks, BlocksAndTrims) {
    EXPECT_EQ(rendered("a\n  {% if true %}\nb\n  {% endif %}\nc\n"), "a\nb\nc");
    EXPECT_EQ(rendered("a {{- 1 -}} b"), "a1b");
    EXPECT_EQ(rendered("a\n  {{ 1 }}\n b"), "a\n  1\n b");
    EXPECT_EQ(rendered("a\n  {%+ if true %}b{% endif +%}\nc"), "a\n  b\nc");
    EXPECT_EQ(rendered("a {#- note -#} b{# x #}\nc"), "abc");
    EXPECT_EQ(rendered("{% raw %}{{ x }}{% endraw %}"), "{{ x }}");
    EXPECT_EQ(rendered("a\n\n"), "a\n");
    EXPECT_EQ(rendered("a\r\nb"), "a\nb");
}

TEST(JinjaStatements, LoopsAndScopes) {
    EXPECT_EQ(rendered("{% for x in [1,2,3] %}{{ loop.index }}{{ loop.index0 }}{{ loop.first }}{{ loop.last }}{% endfor %}"),
              "10TrueFalse21FalseFalse32FalseTrue");
    EXPECT_EQ(rendered("{% for x in [] %}a{% else %}b{% endfor %}"), "b");
    EXPECT_EQ(rendered("{% for x in range(6) if x is odd %}{{ x }}/{{ loop.length }} {% endfor %}"), "1/3 3/3 5/3 ");
    EXPECT_EQ(rendered("{% for x in range(9) %}{% if x == 2 %}{% continue %}{% elif x == 4 %}{% break %}{% endif %}{{ x "
                       "}}{% endfor %}"),
              "013");
    EXPECT_EQ(rendered("{% set x = 1 %}{% for i in [1] %}{% set x = 2 %}{% endfor %}{{ x }}"), "1");
    EXPECT_EQ(rendered("{% set n = namespace(x=1) %}{% for i in [1] %}{% set n.x = 2 %}{% endfor %}{{ n.x }}"), "2");
    EXPECT_EQ(rendered("{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}={{ v }}{{ ',' if not loop.last }}{% endfor %}"),
              "a=1,b=2");
    EXPECT_EQ(rendered("{% for x in 'ab' %}{{ loop.previtem }}{{ x }}{{ loop.nextitem }};{% endfor %}"), "ab;ab;");
    EXPECT_EQ(rendered("{% set x %}a{% endset %}{{ x + 'b' }}"), "ab");
    EXPECT_EQ(rendered("{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}{{ a is defined }}"), "3False");
}

TEST(JinjaStatements, MacrosAndCalls) {
    EXPECT_EQ(rendered("{% macro m(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ m(1, b=3) }}"), "1213");
    EXPECT_EQ(rendered("{% macro m(n) %}{{ n }}{% if n %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(3) }}"), "3210");
    EXPECT_EQ(rendered("{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}x{% endcall %}"), "<x>");
    EXPECT_EQ(rendered("{% filter upper %}abc{% endfilter %}"), "ABC");
    EXPECT_EQ(rendered("{% macro m() %}{{ later }}{% endmacro %}{% set later = 5 %}{{ m() }}"), "5");
}

TEST(JinjaExpressions, OperatorsAsInPython) {
    EXPECT_EQ(rendered("{{ 7 // -2 }} {{ 7 % -2 }} {{ -7 // 2 }} {{ 7 / 2 }} {{ 2 ** 3 }} {{ 2 ** -1 }}"),
              "-4 -1 -4 3.5 8 0.5");
    EXPECT_EQ(rendered("{{ 1 ~ 2 + 'a' }}"), "12a");  // ~ binds tighter than +
    EXPECT_EQ(rendered("{{ 'a' * 3 }}{{ [1] + [2] }}{{ 1 == 1.0 }}{{ 1 < 2 < 3 }}{{ 'b' in 'abc' }}{{ 2 not in [1] }}"),
              "aaa[1, 2]TrueTrueTrueTrue");
    EXPECT_EQ(rendered("{{ [1, 2, 3][::-1] }}{{ 'abc'[1:] }}{{ 'abc'[-1] }}{{ [1, 2, 3][:-1] }}{{ (1,) }}"),
              "[3, 2, 1]bcc[1, 2](1,)");
    EXPECT_EQ(rendered("{{ '\xc3\xa9\xf0\x9f\x98\x80x'[1:2] }}{{ '\xc3\xa9\xf0\x9f\x98\x80'|length }}"),
              "\xf0\x9f\x98\x80"
              "2");
    EXPECT_EQ(rendered("{{ none }}{{ true }}{{ 1.0 }}{{ 1e20 }}{{ 1e-7 }}{{ 0.1 }}"), "NoneTrue1.01e+201e-070.1");
    EXPECT_EQ(rendered(R"({{ {'a': ['b', none, "it's", 'q"\'']} }})"), R"({'a': ['b', None, "it's", 'q"\'']})");
    EXPECT_EQ(rendered("{{ x }}{{ x is defined }}{{ (x.y is defined) if x is defined else 'no' }}"), "Falseno");
    EXPECT_EQ(rendered("{{ '%s-%d' % ('a', 3) }}{{ '{} {x}'.format(1, x=2) }}"), "a-31 2");
}

TEST(JinjaExpressions, MapsAndTheirMethods) {
    const Json message = {{"m", {{"role", "user"}, {"items", 3}}}};
    EXPECT_EQ(rendered("{{ m.role }}{{ m['items'] }}{{ m.get('x', 'y') }}{{ m.missing }}{{ m.items() | length }}", message),
              "user3y2");
    EXPECT_EQ(rendered("{{ 'role' in m }}{{ m | dictsort | first }}", message), "True('items', 3)");
}

TEST(JinjaFilters, AsInTransformers) {
    EXPECT_EQ(rendered("{{ x | tojson }}", {{"x", {{"a", "<\xc3\xa9>\"\n"}, {"b", {1, 2.5, nullptr, true}}}}}),
              "{\"a\": \"<\xc3\xa9>\\\"\\n\", \"b\": [1, 2.5, null, true]}");
    EXPECT_EQ(rendered("{{ x | tojson(ensure_ascii=true) }}", {{"x", "\x7f\xc3\xa9"}}), "\"\\u007f\\u00e9\"");
    EXPECT_EQ(rendered("{{ {'a': [1, {}]} | tojson(indent=2) }}"), "{\n  \"a\": [\n    1,\n    {}\n  ]\n}");
    EXPECT_EQ(rendered("{{ ' a ' | trim }}|{{ 'xax' | trim('x') }}|{{ 'ab' | upper }}|{{ 'a b-c' | title }}"),
              "a|a|AB|A B-C");
    EXPECT_EQ(rendered("{{ [3, 1] | sort | join(',') }}{{ [1, 2] | map('string') | join }}{{ 'a\nb' | indent(2) }}"),
              "1,312a\n  b");
    EXPECT_EQ(
        rendered("{{ [{'a': 1}, {'a': 2}] | selectattr('a', 'equalto', 2) | list }}{{ [1, none] | reject('none') | list }}"),
        "[{'a': 2}][1]");
    EXPECT_EQ(rendered("{{ x | default('d') }}{{ '' | default('e', true) }}{{ '4.7' | int }}{{ 'z' | int(5) }}"), "de45");
    EXPECT_EQ(rendered("{{ 'a<think>b</think>c'.split('</think>')[-1].lstrip('\\n') }}"), "c");
}

TEST(JinjaErrors, NameFileLineAndReason) {
    EXPECT_EQ(error_of("a\n{{ x.y }}"), "t.jinja:2: 'x' is undefined");
    EXPECT_EQ(error_of("{{ raise_exception('no') }}"), "t.jinja:1: the template refuses this conversation: no");
    EXPECT_EQ(error_of("\n\n{% include 'x' %}"), "t.jinja:3: the statement 'include' is not supported");
    EXPECT_EQ(error_of("{{ 'a' | wordwrap }}"), "t.jinja:1: the filter 'wordwrap' is not supported");
    EXPECT_EQ(error_of("{{ 'a'.translate(1) }}"), "t.jinja:1: the method str.translate is not supported");
    EXPECT_EQ(error_of("{{ 'a' + 1 }}"), "t.jinja:1: unsupported operand types for +: 'str' and 'int'");
    for (const char* broken :
         {"{% for", "{% for x in y %}", "{{ 1", "{{ ( }}", "{% if %}{% endif %}", "{{ 'a }}", "{# x", "{% endif %}",
          "{{ 99999999999999999999 }}", "{{ a.b c }}", "{% break %}", "{% raw %}", "{{ x is }}", "{{ '\\N{DOT}' }}"})
        EXPECT_THAT(error_of(broken), testing::StartsWith("t.jinja:1: ")) << broken;
    EXPECT_THAT(error_of("\xff"), testing::HasSubstr("not UTF-8"));
}

TEST(JinjaLimits, NothingRunsOrGrowsWithoutEnd) {
    const Limits small{.steps = 10'000, .bytes = 1 << 20, .depth = 100};
    EXPECT_THAT(error_of("{% for a in range(1000) %}{% for b in range(1000) %}{% endfor %}{% endfor %}", {}, small),
                testing::HasSubstr("more than 10000 steps"));
    EXPECT_THAT(
        error_of("{% set n = namespace(x='aa') %}{% for a in range(99) %}{% set n.x = n.x * 2 %}{% endfor %}", {}, small),
        testing::HasSubstr("more than 1048576 bytes"));
    EXPECT_THAT(error_of("{{ 'a' * 9999999999999 }}", {}, small), testing::HasSubstr("bytes"));
    EXPECT_THAT(error_of("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"), testing::HasSubstr("nested more than 400"));
    EXPECT_THAT(error_of("{% set n = namespace(x=[]) %}{% for a in range(999) %}{% set n.x = [n.x] %}{% endfor %}"),
                testing::HasSubstr("values are nested"));
    EXPECT_THAT(error_of("{{ " + std::string(100000, '(') + "1" + std::string(100000, ')') + " }}"),
                testing::HasSubstr("nested more than"));
    std::string chain = "{{ 1";
    for (int i = 0; i < 100000; ++i) chain += "+1";
    EXPECT_THAT(error_of(chain + " }}"), testing::HasSubstr("levels"));
    EXPECT_THAT(error_of("{% set n = namespace() %}{% set n.n = n %}{{ n.n }}"), testing::HasSubstr("not supported"));
}

std::string marked(const std::string& source, const Json& variables) {
    const MarkedText text = Template(source, "t").render(variables_of(variables)).text;
    std::string out = text.bytes;
    for (auto mark = text.marks.rbegin(); mark != text.marks.rend(); ++mark) {
        out.insert(mark->end, "]");
        out.insert(mark->begin, "[");
    }
    return out;
}

TEST(JinjaMarks, FollowWhatComesFromOutside) {
    const Json in = {{"x", " ab c "}, {"l", {"p", "q"}}};
    EXPECT_EQ(marked("<{{ x }}>", in), "<[ ab c ]>");
    EXPECT_EQ(marked("<{{ x | trim + '|' }}>", in), "<[ab c]|>");
    EXPECT_EQ(marked("{{ x.split()[1] }}{{ x[1:3] }}{{ 'z' ~ x | upper }}", in), "[cab]z[ AB C ]");
    EXPECT_EQ(marked("{{ l | join('-') }}{{ l | tojson }}{{ l }}", in), "[p]-[q][\"[p]\", \"[q]\"]['[p]', '[q]']");
    EXPECT_EQ(marked("{% set y %}({{ x.strip() }}){% endset %}{% macro m(t) %}<{{ t }}>{% endmacro %}{{ m(y) }}", in),
              "<([ab c])>");
    EXPECT_EQ(marked("{{ x.replace('b', '!') | replace('a', '?') }}", in), "[ ]?![ c ]");
    EXPECT_EQ(marked("{{ x | trim | title }}{{ 'fixed' | upper }}", in), "[Ab C]FIXED");
}

TEST(JinjaTurns, AreWhatTheLoopOverMessagesPrints) {
    std::vector<Value> messages;
    for (int i = 0; i < 2; ++i) messages.push_back(make_map({{make_text("c"), make_text(MarkedText("m", i))}}, i));
    const Rendered all = Template("B{% for m in messages %}<{{ m.c }}>{% endfor %}{% generation %}E{% endgeneration %}", "t")
                             .render({{"messages", make_list(messages)}});
    EXPECT_EQ(all.text.bytes, "B<m><m>E");
    ASSERT_EQ(all.turns.size(), 2u);
    EXPECT_EQ(all.turns[1].message, 1);
    EXPECT_EQ(all.turns[1].begin, 4u);
    EXPECT_EQ(all.turns[1].end, 7u);
    EXPECT_THAT(all.generated, testing::ElementsAre(std::pair<size_t, size_t>(7, 8)));
    EXPECT_EQ(all.text.marks[1], (Mark{5, 6, 1}));
}

}  // namespace
}  // namespace craft::jinja
