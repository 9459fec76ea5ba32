// The annotator's HTTP API.

import { send } from "../shared/service.js";

const API = "/annotate/api";

function addressOf(path, query) {
  return query === undefined ? `${API}${path}` : `${API}${path}?${new URLSearchParams(query)}`;
}

const get = async (path, query) => (await send("GET", addressOf(path, query))).json();

const post = async (path, form) => (await send("POST", addressOf(path), { body: JSON.stringify(form) })).json();

export const listKinds = () => get("/kinds");
export const listProjects = () => get("/projects");
export const createProject = (name) => post("/projects", { name });
export const listPages = (project, annotator) => get(`/projects/${project}/pages`, { annotator });
// A file may be sent twice: adding the same bytes again changes nothing.
export const uploadFile = (project, name, file) => {
  const upload = () =>
    send("POST", addressOf(`/projects/${project}/pages`, { name }), { body: file, type: "application/octet-stream" });
  return upload().catch((error) => {
    if (error.status) throw error;
    return upload(); // the connection was closed while it was idle
  });
};
export const loadPage = (id, annotator) => get(`/pages/${id}`, { annotator });
export const loadDrawing = async (id) => (await get(`/pages/${id}/drawing`)).drawing;
export const addMark = (id, form) => post(`/pages/${id}/marks`, form);
export const moveMark = async (id, number, form) =>
  (await send("PUT", addressOf(`/pages/${id}/marks/${number}`), { body: JSON.stringify(form) })).json();
export const deleteMarks = (id, annotator, ids) => post(`/pages/${id}/delete`, { annotator, ids });
export const acceptMarks = (id, annotator, ids) => post(`/pages/${id}/accept`, { annotator, ids });
export const step = (id, annotator, way) => post(`/pages/${id}/step/${way}`, { annotator });
export const setLooked = (id, form) => post(`/pages/${id}/looked`, form);
export const suggest = (id, annotator, method) => post(`/pages/${id}/suggest`, { annotator, method });
export const spread = (id, annotator) => post(`/pages/${id}/spread`, { annotator });
export const loadAgreement = (id) => get(`/pages/${id}/agreement`);
export const download = async (path, annotator) => (await send("GET", addressOf(path, { annotator }))).blob();

// Path and file name of each export.
export const listExports = ({ project, page }) => ({
  zip: [`/projects/${project}/export`, "gold.zip"],
  agreed: [`/projects/${project}/export`, "gold-agreed.zip"],
  gold: [`/projects/${project}/gold`, "gold.json"],
  rectangles: [`/pages/${page}/rectangles`, "rectangles.txt"],
  picture: [`/pages/${page}/picture`, "marks.png"],
});
