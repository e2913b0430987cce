import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Folders of the store with files that Patchbay did not write: their entries are counted, not listed. */
const foreign: ReadonlySet<string> = new Set(["plugins", "staging"]);
const mostFiles = 2_000;

interface FileFacts {
  path: string;
  bytes: number;
  /** Permissions in octal digits. */
  mode: string;
  changedAt: string;
  schemaVersion?: number;
  /** Why it cannot be read or is no whole JSON. */
  damage?: string;
}

/** How the files of the store are: sizes, permissions, and whether what must be JSON is whole. Contents are not part of it. */
export function storeFiles(root: string) {
  const files: FileFacts[] = [];
  const folders: { path: string; entries: number }[] = [];
  const visit = (folder: string): void => {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      const name = relative(root, path).split(sep).join("/");
      if (entry.isDirectory()) {
        if (foreign.has(name)) folders.push({ path: name, entries: entriesOf(path).length });
        else visit(path);
      } else if (files.length < mostFiles) files.push(factsOf(path, name));
    }
  };
  visit(root);
  return { complete: files.length < mostFiles, folders, files };
}

/** The newest lines of the audit log, oldest first. */
export function tailsOfDays(folder: string, mostLines: number): string {
  const days = entriesOf(folder)
    .map(({ name }) => name)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .slice(-3);
  const lines = days.flatMap((day) =>
    tailOf(join(folder, day), 1024 * 1024)
      .split("\n")
      .filter(Boolean),
  );
  return lines.length === 0 ? "" : `${lines.slice(-mostLines).join("\n")}\n`;
}

/** The last lines of the records of an agent's newest conversations. */
export function tailsOfTraces(folder: string, agentId: string, most: number, mostBytes: number) {
  return entriesOf(folder)
    .filter(({ name }) => name.endsWith(".record.jsonl") || name.endsWith(".trace.jsonl"))
    .map(({ name }) => ({ name, changedAt: changedAt(join(folder, name)) }))
    .sort((left, right) => right.changedAt - left.changedAt)
    .slice(0, most)
    .map(({ name }) => ({ name: `traces/${agentId}/${name}`, text: tailOf(join(folder, name), mostBytes) }));
}

function factsOf(path: string, name: string): FileFacts {
  try {
    const { size, mode, mtime } = statSync(path);
    const facts = {
      path: name,
      bytes: size,
      mode: (mode & 0o777).toString(8),
      changedAt: mtime.toISOString(),
    };
    return name.endsWith(".json") ? { ...facts, ...stateOf(path) } : facts;
  } catch (error) {
    return { path: name, bytes: 0, mode: "", changedAt: "", damage: String(error) };
  }
}

function stateOf(path: string): Pick<FileFacts, "schemaVersion" | "damage"> {
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    const version = typeof content === "object" && content !== null && "schemaVersion" in content;
    return version && typeof content.schemaVersion === "number"
      ? { schemaVersion: content.schemaVersion }
      : {};
  } catch {
    // The message of a parser quotes what it could not read.
    return { damage: "it is no whole JSON" };
  }
}

/** The last whole lines of a file. */
function tailOf(path: string, mostBytes: number): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, mostBytes));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    const text = bytes.toString("utf8");
    return size > mostBytes ? text.slice(text.indexOf("\n") + 1) : text;
  } finally {
    closeSync(file);
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
