import { manifestShape } from "./shape.ts";

/** A field of a manifest that means nothing to Patchbay. */
export interface UnknownField {
  /** As an author would write it: `tools.prefix`, `secretKeys[0].name`. */
  path: string;
  /** The field that was probably meant, in the same place or with its path; undefined when nothing comes near. */
  meant: string | undefined;
}

/** What may stand at one place, and what stands further inside. */
interface Place {
  known: readonly string[];
  /** Names that other systems use, or that one would guess, and what they are called here. */
  others?: Record<string, string>;
  inside?: Record<string, Place>;
  /** An object that may have fields of its own, such as an instance of a class: only what comes near is told. */
  mayHaveMore?: true;
}

const secretKeys: Place = {
  known: ["key", "label", "placeholder", "optional", "help", "url", "sentOnlyTo"],
  others: {
    name: "key",
    id: "key",
    title: "label",
    required: "optional",
    description: "help",
    hosts: "sentOnlyTo",
  },
};
const configFields: Place = {
  known: ["kind", "key", "label", "options", "defaultValue", "placeholder", "help", "showWhen"],
  others: {
    name: "key",
    id: "key",
    type: "kind",
    title: "label",
    default: "defaultValue",
    description: "help",
    choices: "options",
    enum: "options",
  },
  inside: { options: { known: ["value", "label"] }, showWhen: { known: ["field", "equals"] } },
};
const setup: Place = { known: Object.keys(manifestShape.setup), mayHaveMore: true };
const settings = { secretKeys, configFields };
const capability = (name: "tools" | "channel" | "hooks", others: Record<string, string>): Place => ({
  known: Object.keys(manifestShape[name]),
  others: {
    init: "start",
    run: "start",
    create: "start",
    secrets: "secretKeys",
    defaults: "defaultConfig",
    ...others,
  },
  inside: { ...settings, ...(name === "channel" && { setup }) },
});

const whole: Place = {
  known: Object.keys(manifestShape).filter((name) => name !== "namespace" && name !== "start"),
  others: {
    id: "key",
    name: "displayName",
    title: "displayName",
    summary: "description",
    config: "configSchema",
    schema: "configSchema",
    settings: "configSchema",
    inputSchema: "configSchema",
    secrets: "secretKeys",
    defaults: "defaultConfig",
    validate: "parseConfig",
    url: "homepage",
    docs: "helpUrl",
    help: "helpUrl",
    events: "hooks.events",
    namespace: "tools.namespace",
    start: "tools.start",
  },
  inside: {
    tools: capability("tools", { prefix: "namespace", name: "namespace", tools: "names" }),
    channel: capability("channel", {}),
    hooks: capability("hooks", { on: "events", subscribe: "events" }),
    commands: {
      known: Object.keys(manifestShape.commands[0]),
      others: {
        execute: "run",
        handler: "run",
        action: "run",
        args: "argsHint",
        usage: "argsHint",
        shortcut: "keys",
        key: "keys",
      },
    },
    skills: { known: ["name", "description", "path"], others: { file: "path", title: "name" } },
    permissions: {
      known: ["network", "files", "subprocess"],
      others: {
        hosts: "network",
        filesystem: "files",
        fs: "files",
        programs: "subprocess",
        shell: "subprocess",
      },
    },
    setup,
    ...settings,
  },
};

/** An older channel package has its `namespace` and `start` at the top, and no capability object. */
const older: Place = { ...whole, known: Object.keys(manifestShape) };

/**
 * The fields of a manifest that Patchbay does not know and ignores, each with the one that was probably meant. Looks at
 * own fields; those of the manifest first, then those inside of its parts. Never throws.
 */
export function unknownFields(manifest: unknown): UnknownField[] {
  if (!isRecord(manifest)) return [];
  const isOlder =
    typeof field(manifest, "start") === "function" &&
    ["tools", "channel", "hooks"].every((name) => field(manifest, name) === undefined);
  return unknownAt(manifest, isOlder ? older : whole, "");
}

/** The sentence for the card, the log and the author's terminal. */
export function unknownInWords({ path, meant }: UnknownField): string {
  const perhaps = meant === undefined ? "" : ` Perhaps \`${meant}\` is meant.`;
  return `The manifest has a field \`${path}\` that Patchbay does not know; it is ignored.${perhaps}`;
}

/** The one of the known names that a misspelt, translated or differently written name probably means. */
export function meantBy(
  name: string,
  known: readonly string[],
  others: Readonly<Record<string, string>> = {},
): string | undefined {
  const plain = plainName(name);
  const same = known.find((each) => plainName(each) === plain);
  if (same !== undefined) return same;
  const other = Object.entries(others).find(([each]) => plainName(each) === plain)?.[1];
  if (other !== undefined) return other;
  const most = plain.length > 4 ? 2 : 1;
  const near = known.map((each) => ({ each, far: distance(plain, plainName(each)) }));
  return near.filter(({ far }) => far <= most).sort((a, b) => a.far - b.far)[0]?.each;
}

function unknownAt(value: unknown, place: Place, path: string): UnknownField[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => unknownAt(item, place, `${path}[${index}]`));
  if (!isRecord(value)) return [];
  const at = (name: string) => (path ? `${path}.${name}` : name);
  const found: UnknownField[] = [];
  // The capabilities that are made at the start: an object with `start` in the place of a list.
  const known = path === "commands" ? ["start"] : place.known;
  for (const name of Object.keys(value)) {
    const inner = field(value, name);
    if (known.includes(name) || inner === undefined) continue;
    const guess = meantBy(name, known, place.others);
    const meant = guess !== undefined && field(value, guess) === undefined ? guess : undefined;
    // Helper functions of an object are no declarations.
    const isHelper = path !== "" && typeof inner === "function";
    if (meant === undefined && (isHelper || place.mayHaveMore)) continue;
    found.push({ path: at(name), meant });
  }
  for (const [name, inside] of Object.entries(place.inside ?? {})) {
    const inner = field(value, name);
    if (inner !== undefined) found.push(...unknownAt(inner, inside, at(name)));
  }
  return found;
}

function field(owner: Record<string, unknown>, name: string): unknown {
  try {
    return owner[name];
  } catch {
    // A getter that fails: that is told where the field itself is read.
    return undefined;
  }
}

function plainName(name: string): string {
  return name.replace(/[-_\s]/g, "").toLowerCase();
}

/** How many letters have to be added, left out, changed or swapped with their neighbour. */
function distance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 2 || from.length > 64) return 3;
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + same,
      );
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      next.push(least);
    }
    before = last;
    last = next;
  }
  return last[to.length] ?? 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
