#include "core/database/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

const DatabaseSchema kSchema = {7, 2, "CREATE TABLE things(x INTEGER)", "a box of things", "another box"};

class DatabaseSchemaTest : public ::testing::Test {
protected:
    std::string path() const { return (folder_.path() / "box.sqlite").string(); }
    Database open(milliseconds busy = milliseconds(5000)) const {
        create_database_file(path(), 0600);
        return Database(path(), busy);
    }
    const TemporaryFolder folder_;
};

TEST_F(DatabaseSchemaTest, AnEmptyFileGetsTheTablesOnceWhoeverComes) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            Database database(open());
            prepare_schema(database, kSchema, milliseconds(10000));
            database.run("INSERT INTO things VALUES(1)");
        });
    for (std::thread& thread : threads) thread.join();
    Database database = open();
    EXPECT_EQ(database.number("SELECT count(*) FROM things"), 4);
    EXPECT_EQ(database.number("PRAGMA application_id"), 7);
    EXPECT_EQ(database.number("PRAGMA user_version"), 2);
}

TEST_F(DatabaseSchemaTest, OtherVersionsAndOthersFilesAreRefused) {
    Database database = open();
    prepare_schema(database, kSchema, milliseconds(1000));
    const auto refusal = [&] { return message_of([&] { prepare_schema(database, kSchema, milliseconds(1000)); }); };
    EXPECT_EQ(refusal(), "(nothing thrown)");
    database.run("PRAGMA user_version=3");
    EXPECT_EQ(refusal(), path() + ": expected schema 2, got 3 (a newer craft-train wrote it: use that one, or another box)");
    database.run("PRAGMA user_version=1");
    EXPECT_EQ(refusal(),
              path() + ": expected schema 2, got 1 (an older craft-train wrote it: use that one, or another box)");
    database.run("PRAGMA application_id=8");
    EXPECT_EQ(refusal(), path() + ": expected a box of things, got another program's database");
}

TEST_F(DatabaseSchemaTest, TheVersionBeforeIsBroughtUpOnceWhoeverComes) {
    {
        Database database = open();
        prepare_schema(database, kSchema, milliseconds(1000));
        database.run("INSERT INTO things VALUES(5)");
    }
    const DatabaseSchema next = {7, 3, "", "a box of things", "another box", "ALTER TABLE things ADD COLUMN y INTEGER"};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            Database database(open());
            prepare_schema(database, next, milliseconds(10000));
            EXPECT_EQ(database.number("SELECT count(*) FROM things WHERE y IS NULL"), 1);
        });
    for (std::thread& thread : threads) thread.join();
    Database database = open();
    EXPECT_EQ(database.number("PRAGMA user_version"), 3);
    EXPECT_EQ(database.number("SELECT x FROM things"), 5) << "nothing is lost";
    const DatabaseSchema far = {7, 5, "", "a box of things", "another box", "ALTER TABLE things ADD COLUMN z INTEGER"};
    EXPECT_THAT(message_of([&] { prepare_schema(database, far, milliseconds(10)); }), HasSubstr("expected schema 5, got 3"))
        << "a version that lies further back";
}

TEST_F(DatabaseSchemaTest, WhatATransactionThrowsLeavesNothing) {
    Database database = open();
    prepare_schema(database, kSchema, milliseconds(1000));
    EXPECT_EQ(message_of([&] {
                  in_transaction(database, "BEGIN IMMEDIATE", [&] {
                      database.run("INSERT INTO things VALUES(1)");
                      throw Error("in between");
                  });
              }),
              "in between");
    EXPECT_EQ(database.number("SELECT count(*) FROM things"), 0);
    in_transaction(database, "BEGIN IMMEDIATE", [&] { database.run("INSERT INTO things VALUES(1)"); });
    EXPECT_EQ(database.number("SELECT count(*) FROM things"), 1);
}

TEST_F(DatabaseSchemaTest, AFileThatIsNoDatabaseAndOneThatIsLockedAreTold) {
    folder_.file("box.sqlite", std::string(5000, 'x'));
    Database damaged(path(), milliseconds(10));
    EXPECT_THAT(message_of([&] { prepare_schema(damaged, kSchema, milliseconds(10)); }),
                HasSubstr("expected an intact database, got a damaged file"));
    std::filesystem::remove(path());
    Database first = open(), second = open(milliseconds(20));
    prepare_schema(first, kSchema, milliseconds(1000));
    first.run("BEGIN IMMEDIATE");
    EXPECT_THAT(message_of([&] { second.run("BEGIN IMMEDIATE"); }),
                HasSubstr("one that another process has locked for 0.02 s"));
}

}  // namespace
}  // namespace craft
