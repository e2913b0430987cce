/** A file of the plugin that could not be loaded, as a sentence. */
export class LoadError extends Error {
  readonly file: string;
  readonly line: number;
  /** The words of Janet. */
  readonly said: string;
  /** The form that failed, cut. Null: it could not even be read. */
  readonly form: string | null;

  constructor(file: string, line: number, said: string, form: string | null) {
    const where = line > 0 ? `${file}, line ${line}` : file;
    super(`${where}: ${said}${form === null ? "" : ` — in ${form}`}`);
    this.name = "LoadError";
    this.file = file;
    this.line = line;
    this.said = said;
    this.form = form;
  }
}
