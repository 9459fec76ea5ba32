/** What went wrong, by a name that has a message, and a few words more if there are any. */
export class Problem extends Error {
  constructor(name, detail = "") {
    super(name);
    this.name = "Problem";
    this.problem = name;
    this.detail = detail;
  }
}
