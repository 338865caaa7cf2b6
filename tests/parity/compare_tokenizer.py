"""Compares transformers' tokenizer of a folder that the tests wrote with the ids that we gave to texts and chats.

    python compare_tokenizer.py FOLDER

FOLDER is a tokenizer folder with expected.json beside its files: {"texts": [{"text", "ids"}], "chats": [{"messages",
"generation_prompt", "text", "ids"}]}.
"""
import json
import os
import sys

from transformers import AutoTokenizer


def main():
    folder = sys.argv[1]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with open(os.path.join(folder, "expected.json"), encoding="utf-8") as file:
        expected = json.load(file)
    wrong = 0
    for row in expected["texts"]:
        got = tokenizer(row["text"])["input_ids"]
        if got != row["ids"] or tokenizer.decode(got) != row["text"]:
            wrong += 1
            print("text", repr(row["text"]), "theirs", tokenizer.convert_ids_to_tokens(got), repr(tokenizer.decode(got)), "ours",
                  tokenizer.convert_ids_to_tokens(row["ids"]))
    for row in expected["chats"]:
        text = tokenizer.apply_chat_template(row["messages"], tokenize=False, add_generation_prompt=row["generation_prompt"])
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        if text != row["text"] or ids != row["ids"]:
            wrong += 1
            print("chat", repr(text), "ours", repr(row["text"]))
    print(type(tokenizer).__name__, "eos", tokenizer.eos_token, ":", wrong, "differences")
    assert tokenizer.eos_token == "<|im_end|>", tokenizer.eos_token
    sys.exit(1 if wrong else 0)


main()
