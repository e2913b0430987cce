import type { FoundNote } from "../../../../../contract/found/found-server.ts";
import type { Part, Place, ServerInput } from "../../server/server-file.ts";
import type { AskedThere } from "../clients/listed.ts";
import { isSecretName } from "./secrets.ts";

/** How variables are written in the texts of a program's file, and what they stand for. */
export interface Written {
  bareVariables?: true;
  curlyVariables?: true;
  asks?: ReadonlyMap<string, AskedThere>;
}

const places: Readonly<Record<string, Place | undefined>> = {
  workspaceFolder: "workspace",
  workspaceRoot: "workspace",
  CLAUDE_PROJECT_DIR: "workspace",
  cwd: "workspace",
  userHome: "home",
  HOME: "home",
  USERPROFILE: "home",
};

/**
 * Collects what of a server's texts is a setting of the person, while the texts become parts: variables, secrets, and what the other
 * program asks for. Values are kept apart from the parts, in which no secret and no `${…}` is left.
 */
export class HandedOver {
  readonly notes: FoundNote[] = [];
  readonly #inputs = new Map<string, ServerInput>();
  readonly #values = new Map<string, string>();
  readonly #written: Written;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(written: Written, env: Readonly<Record<string, string | undefined>>) {
    this.#written = written;
    this.#env = env;
  }

  get inputs(): ServerInput[] {
    return [...this.#inputs.values()];
  }

  get values(): Map<string, string> {
    return this.#values;
  }

  /** A text as a part. `name`: what it is the value of. */
  part(text: string, name: string): Part {
    const parts: Part[] = [];
    let from = 0;
    for (const found of text.matchAll(this.#pattern())) {
      if (found.index > from) parts.push(text.slice(from, found.index));
      parts.push(this.#variable(found[0], isSecretName(name)));
      from = found.index + found[0].length;
    }
    if (from < text.length) parts.push(text.slice(from));
    const [only = ""] = parts;
    return parts.length <= 1 ? only : { join: parts };
  }

  /** A value that is a secret, under a name of its own. */
  secret(name: string, value: string): Part {
    return { input: this.#ask(name, { secret: true }, value) };
  }

  hasVariables(text: string): boolean {
    return text.search(this.#pattern()) >= 0;
  }

  #pattern(): RegExp {
    const { bareVariables, curlyVariables } = this.#written;
    const forms = ["\\$\\{[^{}]*\\}"];
    if (curlyVariables) forms.push("\\{(?:env|file):[^{}]*\\}");
    if (bareVariables) forms.push("\\$[A-Za-z_][A-Za-z0-9_]*");
    return new RegExp(forms.join("|"), "g");
  }

  #variable(written: string, secret: boolean): Part {
    const inner = written.replace(/^\$?\{?|\}$/g, "");
    if (inner === "/" || inner === "pathSeparator") return "/";
    const place = places[inner.replace(/^env:/, "")];
    if (place) return { place };
    const file = /^file:(.*)$/.exec(inner)?.[1];
    if (file !== undefined) {
      this.notes.push({ code: "file_value", what: file.slice(0, 300) });
      return { input: this.#ask(lastName(file), { secret: true }, undefined) };
    }
    const asked = /^input:(.+)$/.exec(inner)?.[1];
    if (asked !== undefined) return { input: this.#asked(asked) };
    const kept = /^keyring:(.+)$/.exec(inner)?.[1];
    if (kept !== undefined) return { input: this.#ask(kept, { secret: true }, undefined) };
    const [, name, otherwise] = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/.exec(inner) ?? [];
    if (name === undefined) {
      this.notes.push({ code: "asked", what: written.slice(0, 300) });
      return { input: this.#ask(lastName(inner), { secret }, undefined) };
    }
    const value = this.#env[name] || otherwise;
    if (value === undefined) this.notes.push({ code: "unset", what: name, was: written.slice(0, 300) });
    return { input: this.#ask(name, { secret: secret || isSecretName(name) }, value) };
  }

  /** What VS Code's `inputs` say of an id. */
  #asked(id: string): string {
    const asked = this.#written.asks?.get(id);
    if (asked?.command !== undefined)
      this.notes.push({ code: "command_input", what: asked.command.slice(0, 300) });
    else this.notes.push({ code: "asked", what: asked?.description ?? id });
    return this.#ask(
      id,
      {
        secret: asked?.secret ?? isSecretName(id),
        ...(asked?.description && { description: asked.description.slice(0, 500) }),
        ...(asked?.choices && asked.choices.length > 0 && { choices: asked.choices }),
      },
      asked?.default,
    );
  }

  /** The name of the input for this value: the same one for the same value. */
  #ask(
    wanted: string,
    more: Pick<ServerInput, "secret"> & Partial<ServerInput>,
    value: string | undefined,
  ): string {
    const plain =
      wanted
        .replace(/[^\w.-]+/g, "_")
        .replace(/^[_.-]+|[.-]+$/g, "")
        .slice(0, 100) || "value";
    for (let count = 1; ; count++) {
      const name = count === 1 ? plain : `${plain}_${count}`;
      const known = this.#inputs.get(name);
      if (known && this.#values.get(name) !== value) continue;
      this.#inputs.set(name, {
        name,
        type: "string",
        required: true,
        multiple: false,
        ...known,
        ...more,
        secret: more.secret || known?.secret === true,
      });
      if (value !== undefined) this.#values.set(name, value);
      return name;
    }
  }
}

function lastName(path: string): string {
  return path.split(/[\\/:]/).at(-1) ?? path;
}
