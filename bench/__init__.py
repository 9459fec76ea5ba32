"""Benchmarks: times as ratios to the bare parse, never asserted."""
