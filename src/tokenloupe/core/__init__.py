"""The tokenizer core: standard library, numpy, regex. No Qt, no files."""
