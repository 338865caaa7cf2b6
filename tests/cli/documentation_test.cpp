// Every craft-train line in a fenced block of the documentation runs as it stands there, in the order of the page.
#include <gtest/gtest.h>

#include <filesystem>
#include <iomanip>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "core/files.h"
#include "judge/scorers/registry.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = test_source();

struct Example {
    std::vector<std::string> arguments;
    std::string shows;  // what the comment after it says that stdout holds, without white space; may be empty
};

std::string without_spaces(std::string text) {
    std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
    return text;
}

// A comment that begins with a quote mark is output; any other one explains.
Example parse(const std::string& line) {
    Example example;
    const size_t comment = line.find('#');
    std::istringstream words(line.substr(0, comment));
    for (std::string word; words >> std::quoted(word);) example.arguments.push_back(word);
    example.arguments.erase(example.arguments.begin());  // craft-train
    if (comment != std::string::npos) {
        const std::string said = without_spaces(line.substr(comment + 1));
        if (said.starts_with('"')) example.shows = said;
    }
    return example;
}

std::vector<Example> examples_of(const fs::path& page) {
    std::vector<Example> examples;
    std::istringstream lines(read_file(page));
    bool fenced = false;
    std::string command;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) fenced = !fenced;
        if (!fenced || (command.empty() && !line.starts_with("craft-train "))) continue;
        command += line;
        if (command.ends_with('\\')) {
            command.back() = ' ';
            continue;
        }
        examples.push_back(parse(command));
        command.clear();
    }
    return examples;
}

// All pages but those of docs/experiments, which may name files and options that are gone.
std::vector<fs::path> pages() {
    std::vector<fs::path> found = {kSource / "README.md", kSource / "CONTRIBUTING.md"};
    for (auto entry = fs::recursive_directory_iterator(kSource / "docs"); entry != fs::recursive_directory_iterator();
         ++entry) {
        if (entry->path() == kSource / "docs/experiments") entry.disable_recursion_pending();
        if (entry->path().extension() == ".md") found.push_back(entry->path());
    }
    return found;
}

TEST(Documentation, CommandsRunAsTheyStandThere) {
    size_t run = 0;
    const fs::path before = fs::current_path();
    for (const fs::path& page : pages()) {
        const TemporaryFolder folder;
        fs::create_directory_symlink(kSource / "share", folder.path() / "share");
        fs::create_directory_symlink(kSource / "configs", folder.path() / "configs");
        fs::create_directory_symlink(kSource / "scripts", folder.path() / "scripts");
        fs::create_directory_symlink(kSource / "weights", folder.path() / "weights");        // what scripts/setup.sh gets
        fs::copy_file(kSource / "share/texts/dev.jsonl", folder.path() / "speeches.jsonl");  // a file that readers bring
        fs::current_path(folder.path());
        for (const Example& example : examples_of(page)) {
            std::string command;
            for (const std::string& argument : example.arguments) command += " " + argument;
            const test::Outcome outcome = test::run_command(example.arguments);
            EXPECT_EQ(outcome.code, 0) << page << command << "\n" << outcome.err;
            EXPECT_NE(without_spaces(outcome.out).find(example.shows), std::string::npos) << command << "\n" << outcome.out;
            ++run;
        }
        fs::current_path(before);
    }
    EXPECT_GE(run, 5u);
}

// The indented craft-train lines of a page, those of a loop once for each of its words.
std::vector<std::string> indented_commands(const fs::path& page) {
    static const std::regex loop(" +for ([a-z]+) in (.*); do");
    std::vector<std::string> commands;
    std::string variable;
    std::vector<std::string> values;
    std::istringstream lines(read_file(page));
    for (std::string line; std::getline(lines, line);) {
        if (std::smatch head; std::regex_match(line, head, loop)) {
            variable = "$" + head[1].str();
            values = test::words_of(head[2]);
            continue;
        }
        const size_t begin = line.find_first_not_of(' ');
        if (begin == std::string::npos || begin < 4 || line.compare(begin, 12, "craft-train ") != 0) continue;
        const std::string command = line.substr(begin);
        const size_t at = variable.empty() ? std::string::npos : command.find(variable);
        if (at == std::string::npos)
            commands.push_back(command);
        else
            for (const std::string& value : values)
                commands.push_back(std::string(command).replace(at, variable.size(), value));
    }
    return commands;
}

// They need GPUs and keys: nothing is run, but every option of theirs and every configuration is read.
TEST(Documentation, CommandsOfCraftsExperimentsAreUnderstood) {
    const std::vector<std::string> commands = indented_commands(kSource / "docs/reproduce.md");
    EXPECT_GE(commands.size(), 25u);
    const fs::path before = fs::current_path();
    fs::current_path(kSource);
    for (const std::string& command : commands) {
        test::Arguments arguments = parse(command).arguments;
        arguments.emplace_back("--dump-config");
        const test::Outcome outcome = test::run_command(arguments);
        EXPECT_EQ(outcome.code, 0) << command << "\n" << outcome.err;
    }
    fs::current_path(before);
}

std::vector<std::smatch> matches(const std::string& text, const std::regex& pattern) {
    return {std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()};
}

// `data/pair.h` is a file, and `Pair` or `build_pair()` before (`judge/pairs.h` stands in it.
TEST(Documentation, NamesFilesAndFunctionsThatAreThere) {
    static const std::regex file("`([a-z_]+(?:/[A-Za-z0-9_.-]+)*\\.(?:h|cpp|cmake|sh|json|jsonl|md|txt))`");
    static const std::regex name("`([A-Za-z_:]+)(?:\\(\\))?`\\s+\\(`([a-z_/]+\\.h)`");
    size_t files = 0, names = 0;
    for (const fs::path& page : pages()) {
        const std::string text = read_file(page);
        for (const std::smatch& found : matches(text, file)) {
            if (found[1].str().find('/') == std::string::npos) continue;  // a file of a run or a model folder
            EXPECT_TRUE(fs::exists(kSource / found[1].str())) << page << " " << found[1];
            ++files;
        }
        for (const std::smatch& found : matches(text, name)) {
            const std::string called = found[1].str();
            const std::regex word("\\b" + called.substr(called.rfind(':') + 1) + "\\b");
            EXPECT_TRUE(std::regex_search(read_file(kSource / found[2].str()), word)) << page << " " << called;
            ++names;
        }
    }
    EXPECT_GE(files, 60u);
    EXPECT_GE(names, 20u);
}

// Counted as `wc -w` does.
TEST(Documentation, NoPageIsLong) {
    std::vector<fs::path> all = pages();
    for (const auto& entry : fs::directory_iterator(kSource / "docs/experiments")) all.push_back(entry.path());
    for (const fs::path& page : all) {
        std::istringstream words(read_file(page));
        const auto count = std::distance(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
        EXPECT_LE(count, 2500) << page;
        EXPECT_GT(count, 0) << page;
    }
}

// The table of pages in README.md has a row for each page, or one for its folder.
TEST(Documentation, ReadmeListsEveryPage) {
    const std::string readme = read_file(kSource / "README.md");
    size_t listed = 0;
    for (const fs::path& page : pages()) {
        const std::string path = fs::relative(page, kSource).string();
        if (path == "README.md" || path == "docs/nightly.md") continue;  // scripts/test.sh --nightly writes the latter
        const std::string folder = fs::path(path).parent_path().string() + "/";
        const bool by_folder = folder != "/" && folder != "docs/" && readme.find("| `" + folder + "`") != std::string::npos;
        static const std::regex row("\\n\\| (`[A-Za-z0-9_./-]+`(?:, `[A-Za-z0-9_./-]+`)*) \\|");
        bool by_name = false;
        for (const std::smatch& found : matches(readme, row))
            by_name |= found[1].str().find("`" + path + "`") != std::string::npos;
        EXPECT_TRUE(by_name || by_folder) << "README.md does not list " << path;
        ++listed;
    }
    EXPECT_GE(listed, 25u);
}

// The words of set(NAME ...) in cmake/Layers.cmake.
std::vector<std::string> layers(const std::string& name) {
    const std::string table = read_file(kSource / "cmake/Layers.cmake");
    const size_t begin = table.find("set(" + name + "\n") != std::string::npos ? table.find("set(" + name + "\n")
                                                                               : table.find("set(" + name + " ");
    std::istringstream words(table.substr(begin + 4 + name.size(), table.find(')', begin) - begin - 4 - name.size()));
    return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

// The rooms of docs/structure.md stand in the order of cmake/Layers.cmake, each with the layers within it, and its sentence
// on LibTorch names those that see it.
TEST(Documentation, DescribesTheRoomsThatThereAre) {
    const std::string page = read_file(kSource / "docs/structure.md");
    const std::string rooms =
        page.substr(page.find("\n## Rooms\n"), page.find("\n## The folders") - page.find("\n## Rooms\n"));
    static const std::regex paragraph("\n\\*\\*`([a-z]+)`\\*\\*:([\\s\\S]*?)(?=\n\n)"), path("`([a-z]+(?:/[a-z]+)*)`");
    std::vector<std::string> described;
    std::map<std::string, std::set<std::string>> named;
    for (const std::smatch& found : matches(rooms, paragraph)) {
        described.push_back(found[1]);
        for (const std::smatch& layer : matches(found[2], path)) named[found[1]].insert(layer[1]);
    }
    std::vector<std::string> expected;
    for (const std::string& layer : layers("CRAFT_LAYERS")) {
        const std::string room = layer.substr(0, layer.find('/'));
        if (expected.empty() || expected.back() != room) expected.push_back(room);
        if (layer == room) continue;
        EXPECT_TRUE(named[room].contains(layer)) << layer << " is not named in the paragraph of " << room;
    }
    EXPECT_EQ(described, expected);
    const size_t seen = rooms.find("\nLibTorch is seen by ");
    ASSERT_NE(seen, std::string::npos);
    std::multiset<std::string> torch, told;
    for (const std::string& layer : layers("CRAFT_TORCH_LAYERS")) torch.insert(layer);
    for (const std::smatch& layer : matches(rooms.substr(seen, rooms.find("and by no other layer") - seen), path))
        told.insert(layer[1]);
    EXPECT_EQ(told, torch);
}

// Whoever adds an option that is a command, or another kind of scorer that starts one, tells so there.
TEST(Documentation, SecurityNamesAllProgramsThatAreStarted) {
    const std::string security = read_file(kSource / "SECURITY.md");
    static const std::regex option("[.a-z]\\.command,[\\s\\S]{0,600}?\\.flag\\(\"(--[a-z-]+)\"\\)");
    size_t options = 0;
    for (const auto& entry : fs::directory_iterator(kSource / "cli")) {
        if (entry.path().extension() != ".cpp") continue;
        for (const std::smatch& found : matches(read_file(entry.path()), option)) {
            EXPECT_NE(security.find("`" + found[1].str() + "`"), std::string::npos) << entry.path() << " " << found[1];
            ++options;
        }
    }
    EXPECT_GE(options, 4u);
    for (const ScorerKind& kind : scorer_kinds()) {
        const bool is_command = scorer_form(kind).find("COMMAND") != std::string::npos;
        if (is_command) {
            EXPECT_NE(security.find("`" + kind.name + ":COMMAND`"), std::string::npos) << kind.name;
        }
    }
    // Nothing else starts a process.
    for (auto entry = fs::recursive_directory_iterator(kSource); entry != fs::recursive_directory_iterator(); ++entry) {
        const std::string path = fs::relative(entry->path(), kSource).string();
        if (path.starts_with(".") || path == "build" || path == "tests" || path == "runs" || path == "weights") {
            entry.disable_recursion_pending();
            continue;
        }
        if (entry->path().extension() != ".cpp" || path == "core/process/child_process.cpp" ||
            path == "core/process/pager.cpp")
            continue;
        const std::string source = read_file(entry->path());
        for (const char* call : {"::fork(", "::vfork(", "::execl", "::execv", "popen(", "posix_spawn", "std::system("})
            EXPECT_EQ(source.find(call), std::string::npos) << path << " " << call;
    }
}

// README's list, "Evaluate    eval cord, eval tools", is of no command that --help does not show in that group. It may leave
// some out.
TEST(Documentation, ListsCommandsUnderTheirGroups) {
    const std::string help = test::run_command({"--help"}).out, readme = read_file(kSource / "README.md");
    static const std::regex title("\\n\\n([A-Z][a-z ]+)(?=\\n  )"), remark(" *\\([^)]*\\)"), name("[a-z][a-z0-9 -]*");
    size_t listed = 0;
    for (const std::smatch& group : matches(help, title)) {
        const size_t begin = static_cast<size_t>(group.position()) + 2;
        const std::string shown = help.substr(begin, help.find("\n\n", begin) - begin) + "\n";
        const std::regex row("\n" + group[1].str() + " +([a-z].*)\n");
        std::smatch names;
        if (!std::regex_search(readme, names, row)) continue;
        const std::string without_remarks = std::regex_replace(names[1].str(), remark, "");
        for (const std::smatch& found : matches(without_remarks, name)) {
            EXPECT_NE(shown.find("\n  " + found.str() + "  "), std::string::npos) << found.str() << " in:\n" << shown;
            ++listed;
        }
    }
    EXPECT_GE(listed, 10u);
}

}  // namespace
}  // namespace craft
