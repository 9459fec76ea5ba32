// What decided about a region, and what would have changed it: each threshold that was met or
// missed, by how much, and the value at which the answer would be another.

import { written, words } from "../shared/service.js";

const HAIR = 0.001; // how far beyond a threshold a value is set

const lower = (value) => Math.floor(value / HAIR) * HAIR;
const rounded = (value) => Math.round(value * 1000) / 1000;

// One comparison: a measure has to reach the option of this name, times a factor.
function reaches(measure, value, option, said, factor = 1) {
  const limit = said * factor;
  const met = value >= limit - 1e-9;
  const verb = met ? "reaches" : "misses";
  const by = written(Math.abs(value - limit));
  const text = `${words(measure)} ${written(value)} ${verb} ${words(option)} ${written(limit)} by ${by}`;
  const to = rounded(lower(value / factor) + (met ? HAIR : 0));
  return { met, text, set: to >= 0 && to <= 1 ? { name: option, value: to } : undefined };
}

function menu({ score, reason }, options, profile) {
  if (profile !== "paper") return [reaches("score", score, "min_score", options.min_score)];
  const lines = [];
  if (reason.weight !== undefined && reason.candidates === "absolute") {
    lines.push(reaches("weight", reason.weight, "candidate_threshold", options.candidate_threshold));
  } else if (reason.weight !== undefined) {
    lines.push({ met: true, text: `no row weighs ${written(options.candidate_threshold)}, so the heaviest was taken` });
  }
  return lines;
}

// Links that change from page to page raise the thresholds, where pages of the site are known.
function clutter({ score, reason, links, path }, options) {
  const factor = 1 + options.site_weight * Math.max(1 - 2 * (reason.repeated ?? 1), 0);
  const lines = ["tag", "text"].map((what) =>
    reaches(`${what}_ratio`, reason[`${what}_ratio`], `${what}_threshold`, options[`${what}_threshold`], factor));
  const met = score >= options.min_score;
  lines.push({ met, text: `${score} of 2 points, needed: ${options.min_score}` });
  if (links.length < options.min_links) {
    const set = { name: "min_links", value: links.length };
    lines.push({ met: false, text: `${links.length} links, min links is ${options.min_links}`, set });
  }
  if (path === "/html/body") lines.push({ met: false, text: "body is never clutter" });
  return lines;
}

function noise({ reason }, options) {
  if (reason.probability === undefined) return [];
  return [reaches("probability", reason.probability, "threshold", options.threshold)];
}

function content({ score, kind }, options, profile) {
  if (profile === "paper" || options.method === "cetd") return [];
  const kept = kind === "content";
  return [{
    met: kept,
    text: `taken for content with probability ${written(score)}; `
      + (kept ? "favor precision asks for more" : "favor recall asks for less"),
    set: { name: "favor", value: kept ? "precision" : "recall" },
  }];
}

function segments({ reason }) {
  const lines = [];
  const add = (text, value) =>
    lines.push({ met: true, text, set: { name: "threshold", value: String(rounded(Math.min(Math.max(value, 0), 1))) } });
  const { joined_at: joined, lost_at: lost, likeliest_cut: cut, threshold } = reason;
  if (joined !== undefined) add(`a segment from threshold ${written(joined)} on`, joined - HAIR);
  if (lost !== undefined) add(`part of a larger one from ${written(lost)} on`, lost + HAIR);
  if (cut > 0) add(`cut in two below threshold ${written(cut)}, which is ${written(threshold)} now`, cut - HAIR);
  return lines;
}

function template({ reason, kind }) {
  if (reason.votes === undefined) return [];
  return [{
    met: kind === "slot",
    text: `stands likewise in ${reason.votes} of ${reason.of} other pages: `
      + (kind === "slot" ? "the page's own" : "template"),
  }];
}

const RULES = { menu, clutter, noise, content, segments, template };

// options: the values that act. Each line: {met, text, set?: {name, value}}.
export function why(answer, pagelet, options) {
  return RULES[answer.method]?.(pagelet, options, answer.profile) ?? [];
}

// The best place for a menu when none was good enough.
export function missedMenu(answer, options) {
  if (!answer.rejected) return undefined;
  const { path, score } = answer.rejected;
  const lines = [reaches("score", score, "min_score", options.min_score)];
  return { kind: "menu", path, score, text: "", links: [], reason: {}, lines };
}

// How a method lists all it looked at, not only what it chose; undefined where it cannot.
export const EXPLAINED = { clutter: { all: true } };
