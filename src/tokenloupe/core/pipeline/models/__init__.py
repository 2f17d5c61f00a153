"""Models: a pre-token -> ids. Each answers `word(text)` with (ids, from, to), byte offsets into the pre-token."""
