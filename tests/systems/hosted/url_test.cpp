#include "systems/hosted/url.h"

#include <gtest/gtest.h>

#include <set>

namespace craft {
namespace {

TEST(Url, LoopbackIsAnAddressAndNoNameThatLooksLikeOne) {
    for (const char* own : {"http://127.0.0.1:8000/v1", "http://localhost/v1", "https://[::1]:1/", "http://127.9.9.9"})
        EXPECT_TRUE(Url::parse(own)->is_loopback()) << own;
    for (const char* other : {"http://127.0.0.1.evil.example/", "http://localhost.evil.example", "http://10.0.0.1",
                              "http://localhost@evil.example/"})
        EXPECT_FALSE(Url::parse(other)->is_loopback()) << other;
}

TEST(Url, OnlyHttpIsOne) {
    for (const char* wrong : {"", "ftp://a", "file:///etc/passwd", "a b", "/v1"}) EXPECT_FALSE(Url::parse(wrong)) << wrong;
}

TEST(Url, SameHostMeansSchemeHostAndPort) {
    const Url one = *Url::parse("https://A.example/v1");
    EXPECT_TRUE(one.is_same_host(*Url::parse("https://a.example:443/other")));
    EXPECT_FALSE(one.is_same_host(*Url::parse("http://a.example/v1")));
    EXPECT_FALSE(one.is_same_host(*Url::parse("https://a.example:444/v1")));
    EXPECT_FALSE(one.is_same_host(*Url::parse("https://b.example/v1")));
}

TEST(Url, PathsGoBeforeTheQuery) {
    EXPECT_EQ(url_below("http://a/v1/", "/chat"), "http://a/v1/chat");
    EXPECT_EQ(url_below("http://a/v1?api-version=2", "/chat"), "http://a/v1/chat?api-version=2");
}

TEST(Url, TheOperationAtTheEndOfABaseUrlIsNotDoubled) {
    for (const char* base :
         {"http://a/v1/chat/completions", "http://a/v1/chat/completions/", "http://a/v1//chat/completions"})
        EXPECT_EQ(without_operation(base), "http://a/v1") << base;
    EXPECT_EQ(without_operation("http://a/v1/chat/completions?api-version=2"), "http://a/v1?api-version=2");
    for (const char* other : {"http://a/v1", "http://a/v1/", "http://a/v1/chat", "http://a/completions"})
        EXPECT_EQ(without_operation(other), other);
}

TEST(Url, AnEndpointHasOneNameHoweverItIsWritten) {
    for (const char* one : {"http://A.example/v1", "HTTP://a.example:80/v1/", "http://a.example/v1/chat/completions"})
        EXPECT_EQ(endpoint_name(one), "http://a.example:80/v1") << one;
    EXPECT_EQ(endpoint_name("https://a.example"), "https://a.example:443");
    std::set<std::string> names;
    for (const char* other :
         {"http://a.example:80/v1", "https://a.example/v1", "http://a.example:81/v1", "http://b.example/v1",
          "http://a.example/V1", "http://a.example/v1?deployment=x", "http://a.example/v1?deployment=y"})
        names.insert(endpoint_name(other));
    EXPECT_EQ(names.size(), 7u);
    for (const std::string& name : names) EXPECT_EQ(name.find("deployment"), std::string::npos) << "a query may be a secret";
}

}  // namespace
}  // namespace craft
