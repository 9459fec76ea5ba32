// The annotator's HTTP API.

import { send } from "../shared/service.js";

const API = "/annotate/api";

function addressOf(path, query) {
  return query === undefined ? `${API}${path}` : `${API}${path}?${new URLSearchParams(query)}`;
}

const get = async (path, query) => (await send("GET", addressOf(path, query))).json();

const post = async (path, form) => (await send("POST", addressOf(path), { body: JSON.stringify(form) })).json();

export const listKinds = () => get("/kinds");
const put = async (path, form) => (await send("PUT", addressOf(path), { body: JSON.stringify(form) })).json();

const remove = async (path) => (await send("DELETE", addressOf(path))).json();

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
export const moveMark = (id, number, form) => put(`/pages/${id}/marks/${number}`, form);
export const deleteMarks = (id, annotator, ids) => post(`/pages/${id}/delete`, { annotator, ids });
export const acceptMarks = (id, annotator, ids) => post(`/pages/${id}/accept`, { annotator, ids });
export const step = (id, annotator, way) => post(`/pages/${id}/step/${way}`, { annotator });
export const setLooked = (id, form) => post(`/pages/${id}/looked`, form);
export const suggest = (id, annotator, method) => post(`/pages/${id}/suggest`, { annotator, method });
export const spread = (id, annotator) => post(`/pages/${id}/spread`, { annotator });
export const setDone = (id, annotator, done) => post(`/pages/${id}/finish`, { annotator, done });
export const decide = (id, form) => post(`/pages/${id}/decide`, form);
// what: projects or pages
export const rename = (what, id, name) => put(`/${what}/${id}`, { name });
export const deleteOne = (what, id) => remove(`/${what}/${id}`);
export const restore = (what, id) => post(`/${what}/${id}/restore`, {});
export const train = (project, form) => post(`/projects/${project}/train`, form);
export const loadTraining = (project) => get(`/projects/${project}/training`);
export const cancelTraining = (id) => remove(`/trainings/${id}`);
export const setModelUsed = (id, used) => put(`/models/${id}`, { used });
export const deleteModel = (id) => remove(`/models/${id}`);
export const downloadModel = async (id) => (await send("GET", addressOf(`/models/${id}/file`))).blob();
export const download = async (path, annotator) => (await send("GET", addressOf(path, { annotator }))).blob();

// A name as the beginning of a file name.
const toStem = (name) => name.replace(/\.x?html?$/i, "").replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replaceAll(/^[-.]+|-+$/g, "").slice(0, 60) || "page";

// Path and file name of each export; names: {project, page}.
export function listExports({ project, page }, names) {
  const [site, one] = [toStem(names.project), toStem(names.page)];
  return {
    zip: [`/projects/${project}/export`, `${site}-gold.zip`],
    agreed: [`/projects/${project}/export`, `${site}-gold-agreed.zip`],
    gold: [`/projects/${project}/gold`, "gold.json"],
    rectangles: [`/pages/${page}/rectangles`, `${one}-rectangles.txt`],
    picture: [`/pages/${page}/picture`, `${one}-marks.png`],
  };
}
