"""The guides of docs/guides, followed step by step."""
