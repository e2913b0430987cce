import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { PatchbayError } from "../../contract/index.ts";
import { isObject } from "../../contract/is-object.ts";
import { readJson } from "./hermit-source.ts";

/** The secrets of one agent of OpenHermit, and where they were read. */
export interface HermitSecrets {
  /** Null: nobody named a file, and its home has none. */
  from: string | null;
  /** Values by their names. */
  values: ReadonlyMap<string, string>;
}

const none: HermitSecrets = { from: null, values: new Map() };

/**
 * Reads the `secrets.json` of an agent, as OpenHermit writes it where it has no database with a key: names with their
 * values, or with `{value}`. Without a file: that of the only agent in its home which has one.
 * @throws PatchbayError SOURCE_MISSING, BAD_INPUT
 */
export async function readHermitSecrets(file: string | undefined, home: string): Promise<HermitSecrets> {
  const from = file ?? (await onlyOne(home));
  if (from === null) return none;
  const content = await readJson(from);
  if (!isObject(content) || Array.isArray(content))
    throw new PatchbayError("BAD_INPUT", `${from} holds no secrets as OpenHermit has them.`, {
      help: "Name the secrets.json of one of its agents.",
    });
  const values = new Map<string, string>();
  for (const [name, entry] of Object.entries(content)) {
    const value = isObject(entry) ? entry.value : entry;
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && typeof value === "string" && value !== "")
      values.set(name, value);
  }
  return { from, values };
}

async function onlyOne(home: string): Promise<string | null> {
  const agents = join(home, "agents");
  const names = await readdir(agents).catch(() => []);
  const files = names.map((name) => join(agents, name, "secrets.json"));
  const found = await Promise.all(
    files.map((file) =>
      stat(file).then(
        (one) => one.isFile(),
        () => false,
      ),
    ),
  );
  const [only, ...others] = files.filter((_, index) => found[index]);
  return only !== undefined && others.length === 0 ? only : null;
}
