import type { SetupField } from "../../contract/index.ts";
import type { Output } from "./output.ts";
import type { Terminal } from "./terminal.ts";

const yesAndNo = [
  { value: "true", label: "yes" },
  { value: "false", label: "no" },
];

/** Where the questions are put; aborting ends them. */
interface Desk {
  readonly output: Output;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** The fields of a wizard's forms at the terminal. What was typed is offered again when a form comes back. */
export class FieldQuestions {
  readonly #context: Desk;
  readonly #given: Readonly<Record<string, string>>;
  readonly #typed = new Map<string, string>();

  /** @param given answers that are known in advance, by the name of the field */
  constructor(context: Desk, given: Readonly<Record<string, string>>) {
    this.#context = context;
    this.#given = given;
  }

  /**
   * Advanced fields are asked only when the form comes back.
   *
   * @param refused the form is shown again because an answer was refused: then every field is asked, those given as
   * options too
   */
  async ask(fields: readonly SetupField[], refused: boolean): Promise<Record<string, string>> {
    const values: Record<string, string> = {};
    let again = refused;
    const folded = refused ? [] : fields.filter((field) => isFolded(field) && !(field.key in this.#given));
    if (folded.length > 0 && this.#context.terminal.interactive) this.#nameFolded(folded);
    for (const field of fields) {
      const given = refused ? undefined : this.#given[field.key];
      if (given !== undefined) values[field.key] = given;
      else if (this.#context.terminal.interactive && !folded.includes(field)) {
        values[field.key] = await this.#askOne(field, again);
        again = false;
      }
    }
    for (const { key, type } of fields)
      if (type !== "password" && values[key] !== undefined) this.#typed.set(key, values[key]);
    return values;
  }

  async #pick({ label, options = [] }: SetupField, before: string): Promise<string> {
    const { output, terminal, signal } = this.#context;
    if (options.length === 0) return "";
    for (const { label: name, help } of options) if (help) output.note(output.paint.dim(`${name}: ${help}`));
    const chosen = before.split(",").filter((value) => options.some((option) => option.value === value));
    return (await terminal.chooseSome(label, options, signal, { default: chosen })).join(",");
  }

  /** One of the options; what is optional and has no default can be left out. */
  async #pickOne({ label, options = [], required }: SetupField, before: string): Promise<string> {
    const { output, terminal, signal } = this.#context;
    for (const { label: name, help } of options) if (help) output.note(output.paint.dim(`${name}: ${help}`));
    const none = required || before !== "" ? [] : [{ value: "", label: "none" }];
    const values = [...none, ...options];
    const [first] = values;
    if (first === undefined) return "";
    const known = values.some(({ value }) => value === before) ? before : first.value;
    return terminal.choose(label, values, signal, { default: known });
  }

  #nameFolded(fields: readonly SetupField[]): void {
    const { output } = this.#context;
    const names = fields.map(({ key, label }) => `--set ${key}=… (${label})`);
    output.note(output.paint.dim(`Seldom needed, and not asked: ${names.join(", ")}`));
  }

  async #askOne(field: SetupField, refused: boolean): Promise<string> {
    const { output, terminal, signal } = this.#context;
    const { type, help, required = false } = field;
    const before = this.#typed.get(field.key) ?? field.default ?? "";
    if (help) output.note(output.paint.dim(help));
    if (type === "choices") return this.#pick(field, before);
    if (type === "choice") return this.#pickOne(field, before);
    if (type === "switch")
      return this.#pickOne({ ...field, required: true, options: yesAndNo }, before || "false");
    for (let again = refused; ; again = true) {
      const whose = { asker: "wizard", again };
      const question = questionFor(field, before);
      const answer =
        type === "password"
          ? await terminal.optionalSecret(question, signal, whose)
          : await terminal.ask(question, signal, whose);
      const value = answer === "-" && before !== "" && !required ? "" : answer || before;
      if (value !== "" || !required || signal.aborted) return value;
      output.note("This is needed.");
    }
  }
}

/** `Port (optional, such as 6697): `; with what was typed before, `Port [6697, - for none]: `. */
function questionFor({ label, required = false, placeholder }: SetupField, before: string): string {
  if (before !== "") return `${label} [${before}${required ? "" : ", - for none"}]: `;
  const hints = [required ? "" : "optional", placeholder ? `such as ${placeholder}` : ""].filter(Boolean);
  return hints.length === 0 ? `${label}: ` : `${label} (${hints.join(", ")}): `;
}

/** A field that is needed is never left out. */
function isFolded({ advanced, required }: SetupField): boolean {
  return advanced === true && required !== true;
}
