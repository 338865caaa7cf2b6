#include "core/log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "core/error.h"
#include "core/progress.h"
#include "core/signals.h"

namespace craft {
namespace {

class Log : public ::testing::Test {
protected:
    ~Log() override { configure_log({}); }
    // What `action` writes to stderr under these options.
    std::string written(const LogOptions& options, const std::function<void()>& action) {
        configure_log(options);
        ::testing::internal::CaptureStderr();
        action();
        return ::testing::internal::GetCapturedStderr();
    }
};

TEST_F(Log, TextLinesShowFieldsAndStayOneLine) {
    EXPECT_EQ(written({}, [] { log_info("saved", {{"path", "a b"}, {"rows", 3}}); }), "saved path=a b rows=3\n");
    EXPECT_EQ(written({}, [] { log_warning("two\nlines\x1B[2J"); }), "warning: two lines [2J\n");
    EXPECT_EQ(written({}, [] { log_error("disk full"); }), "error: disk full\n");
}

// Four digits say what a measured second is; whole numbers are counts, and keep theirs.
TEST_F(Log, NumbersForPeopleHaveFewDigits) {
    const Json fields = {{"loss", 0.123456789}, {"rate", 12345.678}, {"lr", 2e-5}, {"count", 123456789}};
    EXPECT_EQ(written({}, [&] { log_info("done", fields); }), "done loss=0.1235 rate=12346 lr=2e-05 count=123456789\n");
    EXPECT_EQ(written({},
                      [] {
                          log_info("x", {{"a", {0.1 + 0.2, {{"b", -1.00004}}}}, {"c", 2.0}});
                      }),
              "x a=[0.3,{\"b\":-1.0}] c=2.0\n");
    const std::string line = written({.format = LogFormat::json}, [&] { log_info("done", fields); });
    EXPECT_EQ(parse_json(line, "log")["loss"], 0.123456789) << "machines get all of them";
}

TEST_F(Log, QuietKeepsWarningsAndDebugIsOff) {
    EXPECT_EQ(written({.quiet = true}, [] { log_info("x"); }), "");
    EXPECT_EQ(written({.quiet = true}, [] { log_warning("x"); }), "warning: x\n");
    EXPECT_EQ(written({}, [] { log_debug("x"); }), "");
    EXPECT_EQ(written({.debug = true}, [] { log_debug("x"); }), "debug: x\n");
}

TEST_F(Log, JsonLinesAreEscaped) {
    const std::string line = written({.format = LogFormat::json}, [] {
        log_warning("a \"quote\", a \\, a\nbreak, \x01 and \xFF", {{"n", 1}, {"level", "mine"}});
    });
    ASSERT_EQ(line.find('\n'), line.size() - 1);
    const Json row = parse_json(line, "log");
    EXPECT_EQ(row["message"], "a \"quote\", a \\, a\nbreak, \x01 and \xEF\xBF\xBD");
    EXPECT_EQ(row["level"], "warning") << "a field does not replace what every line has";
    EXPECT_EQ(row["n"], 1);
    EXPECT_EQ(row["time"].get<std::string>().size(), std::string("2026-01-01T00:00:00.000Z").size());
}

TEST_F(Log, ProgressAwayFromATerminalIsOneLineAtTheEnd) {
    const std::string text = written({}, [] {
        Progress progress("texts", 300, "texts");
        for (int i = 0; i < 300; ++i) progress.advance(1, "loss 0.5");
        progress.finish();
        progress.finish();
    });
    EXPECT_EQ(text.rfind("texts: 300/300 texts, ", 0), 0u) << text;
    EXPECT_NE(text.find("loss 0.5, done in 0 s\n"), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), text.size() - 1) << "fast work says it once: " << text;
}

TEST_F(Log, ProgressIsSilentWhenQuietOrUnfinished) {
    EXPECT_EQ(written({.quiet = true}, [] { Progress("a", 1, "x").finish(); }), "");
    EXPECT_EQ(written({}, [] { Progress("a", 1, "x").advance(); }), "");
}

TEST_F(Log, ProgressInJsonIsARow) {
    const std::string text = written({.format = LogFormat::json}, [] { Progress("sft", 10, "steps", 4).finish(); });
    const Json row = parse_json(text, "log");
    EXPECT_EQ(row["done"], 4);
    EXPECT_EQ(row["total"], 10);
}

TEST(Progress, DurationsAreReadable) {
    EXPECT_EQ(readable_duration(0.4), "0 s");
    EXPECT_EQ(readable_duration(59.4), "59 s");
    EXPECT_EQ(readable_duration(245), "4:05");
    EXPECT_EQ(readable_duration(3723), "1:02:03");
    EXPECT_EQ(readable_duration(-1), "?");
    EXPECT_EQ(readable_duration(1e300), "277777777777:46:40");
}

// In a process of its own: the flag stays set.
TEST(SignalsDeathTest, FirstSignalIsKeptAndThrown) {
    const auto stop = [] {
        install_signal_flags();
        throw_if_stopped();
        if (stop_signal() != 0) std::_Exit(1);
        std::raise(SIGPIPE);  // ignored
        std::raise(SIGTERM);
        std::raise(SIGINT);
        try {
            throw_if_stopped();
        } catch (const Stopped& stopped) {
            std::_Exit(100 + stopped.signal());
        }
    };
    EXPECT_EXIT(stop(), ::testing::ExitedWithCode(100 + SIGTERM), "");
}

}  // namespace
}  // namespace craft
