// Why a region is a pagelet or not: each threshold that was met or missed, by how much, and the value
// that would change the answer.

import { formatName, formatValue } from "../shared/elements.js";

const STEP = 0.001; // distance from a threshold of the value that is offered

const floor = (value) => Math.floor(value / STEP) * STEP;
const round3 = (value) => Math.round(value * 1000) / 1000;

// Compare a measure with the threshold of an option, times a factor.
function compareWith(measure, value, option, threshold, factor = 1) {
  const limit = threshold * factor;
  const met = value >= limit - 1e-9;
  const verb = met ? "reaches" : "misses";
  const by = formatValue(Math.abs(value - limit));
  const text = `${formatName(measure)} ${formatValue(value)} ${verb} ${formatName(option)} ${formatValue(limit)} by ${by}`;
  const to = round3(floor(value / factor) + (met ? STEP : 0));
  return { met, text, set: to >= 0 && to <= 1 ? { name: option, value: to } : undefined };
}

function menu({ score, reason }, options, profile) {
  if (profile !== "paper") return [compareWith("score", score, "min_score", options.min_score)];
  const lines = [];
  if (reason.weight !== undefined && reason.candidates === "absolute") {
    lines.push(compareWith("weight", reason.weight, "candidate_threshold", options.candidate_threshold));
  } else if (reason.weight !== undefined) {
    lines.push({ met: true, text: `no row reaches candidate threshold ${formatValue(options.candidate_threshold)}, so the heaviest was taken` });
  }
  return lines;
}

// Links that differ between pages of the site raise the thresholds, links that stay lower them.
function clutter({ score, reason, links, path }, options, profile) {
  const factor = 1 + options.site_weight * (1 - 2 * (reason.repeated ?? 0.5));
  const lines = ["tag", "text"].filter((what) => reason[`${what}_ratio`] !== undefined).map((what) =>
    compareWith(`${what}_ratio`, reason[`${what}_ratio`], `${what}_threshold`, options[`${what}_threshold`], factor));
  if (profile === "paper") {
    const met = score >= options.min_score;
    lines.push({ met, text: `${score} of 2 points, needed: ${options.min_score}` });
  } else {
    lines.push(compareWith("score", score, "min_score", options.min_score));
  }
  if (links.length < options.min_links) {
    const set = { name: "min_links", value: links.length };
    lines.push({ met: false, text: `${links.length} links, min links is ${options.min_links}`, set });
  }
  if (path === "/html/body") lines.push({ met: false, text: "body is never clutter" });
  return lines;
}

function noise({ reason }, options) {
  if (reason.probability === undefined) return [];
  return [compareWith("probability", reason.probability, "threshold", options.threshold)];
}

function content({ score, kind }, options, profile) {
  if (profile === "paper" || options.method === "cetd") return [];
  const kept = kind === "content";
  return [{
    met: kept,
    text: `content with probability ${formatValue(score)}; `
      + (kept ? "favor precision needs more" : "favor recall needs less"),
    set: { name: "favor", value: kept ? "precision" : "recall" },
  }];
}

function segments({ reason }) {
  const lines = [];
  const add = (text, value) =>
    lines.push({ met: true, text, set: { name: "threshold", value: String(round3(Math.min(Math.max(value, 0), 1))) } });
  const { joined_at: joined, lost_at: lost, likeliest_cut: cut, threshold } = reason;
  if (joined !== undefined) add(`a segment from threshold ${formatValue(joined)} on`, joined - STEP);
  if (lost !== undefined) add(`part of a larger segment from threshold ${formatValue(lost)} on`, lost + STEP);
  if (cut > 0) add(`split in two below threshold ${formatValue(cut)}; it is ${formatValue(threshold)} now`, cut - STEP);
  return lines;
}

function template({ reason, kind }) {
  if (reason.votes === undefined) return [];
  return [{
    met: kind === "slot",
    text: `also in ${reason.votes} of ${reason.of} other pages: `
      + (kind === "slot" ? "slot" : "template"),
  }];
}

const RULES = { menu, clutter, noise, content, segments, template };

// Lines {met, text, set?: {name, value}} for a pagelet; options: the effective values.
export function explain(answer, pagelet, options) {
  return RULES[answer.method]?.(pagelet, options, answer.profile) ?? [];
}

// The best candidate for a menu if none was good enough.
export function explainNoMenu(answer, options) {
  if (!answer.rejected) return undefined;
  const { path, score } = answer.rejected;
  const lines = [compareWith("score", score, "min_score", options.min_score)];
  return { kind: "menu", path, score, text: "", links: [], reason: {}, lines };
}

// Options with which a method lists everything it considered.
export const LIST_ALL = { clutter: { all: true } };
