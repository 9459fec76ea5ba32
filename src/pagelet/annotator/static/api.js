// What the annotator asks of the service.

import { Refusal } from "../shared/service.js";

const API = "/annotate/api";

async function answered(method, path, { query = {}, body, type = "application/json" } = {}) {
  const token = sessionStorage.getItem("token");
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  if (body !== undefined) headers["Content-Type"] = type;
  const said = new URLSearchParams(query).toString();
  let answer;
  try {
    answer = await fetch(`${API}${path}${said ? `?${said}` : ""}`, { method, headers, body });
  } catch {
    throw new Refusal(0, { error: "NoService", message: "The service does not answer. Is pagelet serve running?" });
  }
  if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => undefined));
  return answer;
}

async function told(...asked) {
  return (await answered(...asked)).json();
}

const post = (path, form) => told("POST", path, { body: JSON.stringify(form) });

export const kinds = () => told("GET", "/kinds");
export const projects = () => told("GET", "/projects");
export const newProject = (name) => post("/projects", { name });
export const pages = (project, annotator) => told("GET", `/projects/${project}/pages`, { query: { annotator } });
export const upload = (project, name, file) =>
  told("POST", `/projects/${project}/pages`, { query: { name }, body: file, type: "application/octet-stream" });
export const page = (id, annotator) => told("GET", `/pages/${id}`, { query: { annotator } });
export const drawing = async (id) => (await told("GET", `/pages/${id}/drawing`)).drawing;
export const mark = (id, form) => post(`/pages/${id}/marks`, form);
export const repair = (id, number, form) =>
  told("PUT", `/pages/${id}/marks/${number}`, { body: JSON.stringify(form) });
export const remove = (id, annotator, ids) => post(`/pages/${id}/delete`, { annotator, ids });
export const accept = (id, annotator, ids) => post(`/pages/${id}/accept`, { annotator, ids });
export const step = (id, annotator, way) => post(`/pages/${id}/step/${way}`, { annotator });
export const looked = (id, form) => post(`/pages/${id}/looked`, form);
export const suggest = (id, annotator, method) => post(`/pages/${id}/suggest`, { annotator, method });
export const spread = (id, annotator) => post(`/pages/${id}/spread`, { annotator });
export const agreement = (id) => told("GET", `/pages/${id}/agreement`);
export const file = async (path, annotator) => (await answered("GET", path, { query: { annotator } })).blob();

// Where each export is, and what its file is called.
export const places = ({ project, page }) => ({
  zip: [`/projects/${project}/export`, "gold.zip"],
  agreed: [`/projects/${project}/export`, "gold-agreed.zip"],
  gold: [`/projects/${project}/gold`, "gold.json"],
  rectangles: [`/pages/${page}/rectangles`, "rectangles.txt"],
  picture: [`/pages/${page}/picture`, "marks.png"],
});
