// Why a region is a pagelet or not, in words: how likely it is and what was needed, each threshold that
// was met or missed, and the value that would change the answer.

import { formatName, formatValue } from "../shared/elements.js";
import { app } from "./state.js";

const STEP = 0.001; // distance from a threshold of the value that is offered

const floor = (value) => Math.floor(value / STEP) * STEP;
const round3 = (value) => Math.round(value * 1000) / 1000;

// A share as a percentage; with a decimal where it would else read as 0 or 100.
export function formatPercent(share) {
  const percent = 100 * share;
  const rough = Math.round(percent);
  const exact = (rough === 0 && percent > 0) || (rough === 100 && percent < 100);
  return `${exact ? Math.round(percent * 10) / 10 : rough} %`;
}

// Whether scores are probabilities: those of the publication's profile, and of content by density, are not.
export function isLikelihood({ method, profile, threshold }) {
  if (!app.methods.get(method)?.likely || profile === "paper") return false;
  return method !== "content" || threshold !== undefined;
}

// A score for people: a percentage where it is a probability, and what decided where no score did.
export function formatScore({ score, reason = {} }, answer) {
  if (reason.rule !== undefined) return "by rule";
  if (answer.method === "noise" && reason.density !== undefined) return `density ${reason.density.toFixed(1)}`;
  return isLikelihood(answer) || reason.probability !== undefined ? formatPercent(score) : formatValue(score);
}

// Compare a measure with the threshold of an option, times a factor.
function compareWith(measure, value, option, threshold, factor = 1) {
  const limit = threshold * factor;
  const met = value >= limit - 1e-9;
  const text = `${formatName(measure)} ${formatValue(value)}; needed ${formatValue(limit)}`;
  return { met, text, share: value, needed: limit, set: offer(value / factor, option, met) };
}

function offer(value, option, met) {
  const to = round3(floor(value) + (met ? STEP : 0));
  return to >= 0 && to <= 1 ? { name: option, value: to } : undefined;
}

function compareLikely(what, score, needed, option) {
  const met = score >= needed - 1e-9;
  const text = `${formatPercent(score)} likely ${what}; needed ${formatPercent(needed)}`;
  return { met, text, share: score, needed, set: option ? offer(score, option, met) : undefined };
}

function menu({ score, reason = {} }, options, { profile }) {
  if (profile !== "paper") return [compareLikely("the menu", score, options.min_score, "min_score")];
  const lines = [];
  if (reason.weight !== undefined && reason.candidates === "absolute") {
    lines.push(compareWith("weight", reason.weight, "candidate_threshold", options.candidate_threshold));
  } else if (reason.weight !== undefined) {
    lines.push({ met: true, text: `no part reaches the candidate threshold ${formatValue(options.candidate_threshold)}, so the heaviest was taken` });
  }
  return lines;
}

// Links that differ between pages of the site raise the thresholds, links that stay lower them.
function clutter({ score, reason = {}, links, path }, options, { profile }) {
  const factor = 1 + options.site_weight * (1 - 2 * (reason.repeated ?? 0.5));
  const ratios = profile === "paper" ? ["tag", "text"] : [];
  const lines = ratios.filter((what) => reason[`${what}_ratio`] !== undefined).map((what) =>
    compareWith(`${what}_ratio`, reason[`${what}_ratio`], `${what}_threshold`, options[`${what}_threshold`], factor));
  if (profile === "paper") {
    lines.push({ met: score >= options.min_score, text: `${score} of 2 points; needed ${options.min_score}` });
  } else {
    lines.unshift(compareLikely("clutter", score, options.min_score, "min_score"));
  }
  if (links && links.length < options.min_links) { // a brief answer has none
    const set = { name: "min_links", value: links.length };
    lines.push({ met: false, text: `${links.length} links; needed ${options.min_links}`, set });
  }
  if (path === "/html/body") lines.push({ met: false, text: "the whole page is never clutter" });
  return lines;
}

// What is likely content is no noise; a page without results is decided by the density of its text.
function noise({ reason = {}, kind }, options) {
  const { probability, density, threshold } = reason;
  if (density !== undefined) return [{ met: kind === "content", text: `text density ${density.toFixed(1)}; content needs ${threshold.toFixed(1)}` }];
  return probability === undefined ? [] : [compareLikely("content", probability, options.threshold, "threshold")];
}

// What decided on a block of content besides its own likelihood.
function overruled({ reason = {} }, kept, likely) {
  if (reason.rule !== undefined) return `${kept ? "kept" : "dropped"} by your rule: ${reason.rule.replace(/^(keep|drop) /, "")}`;
  if (kept && reason.title) return "kept as the heading of the page, or the line below it";
  if (!kept && reason.repeated) return "dropped because it repeats a text that stands elsewhere on the page";
  if (kept === likely) return undefined;
  return kept ? "kept with the text around it" : "dropped with what is around it, or as a label";
}

function content(pagelet, options, { threshold }) {
  if (threshold === undefined) return [];
  const kept = pagelet.kind === "content";
  const line = compareLikely("content", pagelet.score, threshold);
  const why = overruled(pagelet, kept, line.met);
  if (why) return [{ met: kept, text: why }, { ...line, text: `by itself ${line.text}` }];
  return [{ ...line, set: { name: "favor", value: kept ? "precision" : "recall" } }];
}

function links({ score, role }, options) {
  return [compareLikely(`links of the role “${role}”`, score, options.min_score, "min_score")];
}

function records({ score }, options) {
  return [compareLikely("a record", score, options.min_score, "min_score")];
}

function segments({ reason = {} }) {
  const lines = [];
  const add = (text, value) =>
    lines.push({ met: true, text, set: { name: "threshold", value: String(round3(Math.min(Math.max(value, 0), 1))) } });
  const { joined_at: joined, lost_at: lost, likeliest_cut: cut, threshold } = reason;
  if (joined !== undefined) add(`a segment from threshold ${formatValue(joined)} on`, joined - STEP);
  if (lost !== undefined) add(`part of a larger segment from threshold ${formatValue(lost)} on`, lost + STEP);
  if (cut > 0) add(`split in two below threshold ${formatValue(cut)}; it is ${formatValue(threshold)} now`, cut - STEP);
  return lines;
}

function template({ reason = {}, kind }) {
  if (reason.votes === undefined) return [];
  const own = kind === "slot" ? "the page's own part" : "part of the template";
  return [{ met: kind === "slot", text: `found on ${reason.votes} of ${reason.of} other pages: ${own}` }];
}

const RULES = { menu, clutter, noise, content, links, records, segments, template };

// Lines {met, text, share?, needed?, set?: {name, value}} for a pagelet; options: the effective values.
export function explain(answer, pagelet, options) {
  return RULES[answer.method]?.(pagelet, options, answer) ?? [];
}

// The best candidate for a menu if none was good enough.
export function explainNoMenu(answer, options) {
  if (!answer.rejected) return undefined;
  const { path, score } = answer.rejected;
  const lines = [compareLikely("the menu", score, options.min_score, "min_score")];
  return { kind: "menu", path, score, text: "", links: [], reason: {}, lines };
}

// Options with which a method lists everything it considered.
export const LIST_ALL = { clutter: { all: true } };
