import type { Fact } from "../../manifest-fact.ts";
import type { ManifestProblems } from "../../manifest-problems.ts";

const ABSENT: Fact = { kind: "absent" };

/** Reads the fields of one object in a manifest and notes what is wrong with them. */
export class ManifestReader {
  readonly path: string;
  readonly #fields: Record<string, Fact>;
  readonly #problems: ManifestProblems;

  constructor(path: string, fields: Record<string, Fact>, problems: ManifestProblems) {
    this.path = path;
    this.#fields = fields;
    this.#problems = problems;
  }

  field(name: string): Fact {
    return Object.hasOwn(this.#fields, name) ? (this.#fields[name] ?? ABSENT) : ABSENT;
  }

  has(name: string): boolean {
    return this.field(name).kind !== "absent";
  }

  at(name: string): string {
    return this.path ? `${this.path}.${name}` : name;
  }

  /** A text that is not empty, or "" after noting what is wrong. */
  text(name: string, wanted = "a text that is not empty"): string {
    const fact = this.field(name);
    if (fact.kind === "text" && fact.value.trim() !== "") return fact.value;
    this.#problems.expected(this.at(name), wanted, fact);
    return "";
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) || undefined : undefined;
  }

  optionalFlag(name: string): boolean | undefined {
    const fact = this.field(name);
    if (fact.kind === "absent") return undefined;
    if (fact.kind === "flag") return fact.value;
    this.#problems.expected(this.at(name), "true or false", fact);
    return undefined;
  }

  requireFunction(name: string): void {
    const fact = this.field(name);
    if (fact.kind !== "function") this.#problems.expected(this.at(name), "a function", fact);
  }

  optionalFunction(name: string): boolean {
    if (!this.has(name)) return false;
    this.requireFunction(name);
    return true;
  }

  /** The fields of an object, or null when it is absent or after noting what is wrong. */
  optionalObject(name: string): ManifestReader | null {
    const fact = this.field(name);
    if (fact.kind === "absent") return null;
    if (fact.kind === "object") return new ManifestReader(this.at(name), fact.fields, this.#problems);
    this.#problems.expected(this.at(name), "an object", fact);
    return null;
  }

  optionalList(name: string): Fact[] | null {
    const fact = this.field(name);
    if (fact.kind === "absent") return null;
    if (fact.kind === "list") return fact.items;
    this.#problems.expected(this.at(name), "a list", fact);
    return null;
  }

  /** The items of a list of objects; others are noted. */
  objects(name: string): ManifestReader[] {
    const readers: ManifestReader[] = [];
    for (const [index, item] of (this.optionalList(name) ?? []).entries()) {
      const path = `${this.at(name)}[${index}]`;
      if (item.kind === "object") readers.push(new ManifestReader(path, item.fields, this.#problems));
      else this.#problems.expected(path, "an object", item);
    }
    return readers;
  }
}
