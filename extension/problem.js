/** An error by the name of its message, with an optional detail. */
export class Problem extends Error {
  constructor(name, detail = "") {
    super(name);
    this.name = "Problem";
    this.problem = name;
    this.detail = detail;
  }
}
