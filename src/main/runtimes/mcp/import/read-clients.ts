import { createHash } from "node:crypto";
import { allFiles } from "./clients/all-files.ts";
import { claudeBundles } from "./clients/claude-desktop.ts";
import type { ListedServer } from "./clients/listed.ts";
import { type ClientFile, type ClientId, clientNames, type Elsewhere } from "./clients/place.ts";
import { Fields } from "./text/fields.ts";
import { parseText } from "./text/parse-text.ts";
import { readText } from "./text/read-text.ts";

/** A server in a file of another program. */
export interface ClientServer {
  /** By which it is found again: `cursor/tickets`. */
  id: string;
  client: ClientId;
  file: string;
  place: "user" | "project";
  listed: ListedServer;
}

/** What other programs have, and a sentence for each file that cannot be read. */
export interface ClientServers {
  servers: ClientServer[];
  files: string[];
  problems: string[];
}

/** Most servers of one file: what lists more is no person's list. */
const MOST_SERVERS = 500;

/** Reads the files of all programs, or of those that are meant. Nothing of them is changed, and a broken one stops no other. */
export async function readClients(at: Elsewhere, signal?: AbortSignal): Promise<ClientServers> {
  const files = await allFiles(at);
  const all: ClientServers = { servers: [], files: [], problems: [] };
  const seen = new Set<string>();
  for (const file of files) {
    signal?.throwIfAborted();
    if (seen.has(file.file)) continue;
    seen.add(file.file);
    await take(all, file, at);
    if (file.client === "claude-desktop") {
      const { file: folder, servers } = await claudeBundles(at);
      if (servers.length > 0) add(all, { client: "claude-desktop", file: folder, place: "user" }, servers);
    }
  }
  return all;
}

async function take(all: ClientServers, file: ClientFile, at: Elsewhere): Promise<void> {
  const program = `${clientNames[file.client]}: `;
  const read = await readText(file.file);
  if (read.kind === "missing") return;
  all.files.push(file.file);
  if (read.kind === "unreadable") {
    all.problems.push(`${program}${file.file} is left out, ${read.why}.`);
    return;
  }
  const parsed = parseText(read.text, file.format);
  if (parsed.kind === "broken") {
    const line = parsed.line === null ? "" : `, line ${parsed.line}`;
    all.problems.push(`${program}${file.file} cannot be read${line}. Its servers are left out.`);
    return;
  }
  const servers = await file.read(new Fields(parsed.value), at);
  if (servers.length > MOST_SERVERS)
    all.problems.push(
      `${program}${file.file} lists ${servers.length} servers; the first ${MOST_SERVERS} are shown.`,
    );
  add(all, file, servers.slice(0, MOST_SERVERS));
}

function add(
  all: ClientServers,
  from: Pick<ClientServer, "client" | "file" | "place">,
  servers: ListedServer[],
): void {
  const known = new Set(all.servers.map(({ id }) => id));
  for (const listed of servers) {
    const plain = `${from.client}/${encodeURIComponent(listed.name)}`;
    const hash = createHash("sha256").update(`${from.file}\0${listed.name}`).digest("hex").slice(0, 8);
    // Another one of the same name in the same file, as projects have, is counted.
    let id = known.has(plain) ? `${plain}~${hash}` : plain;
    for (let count = 2; known.has(id); count++) id = `${plain}~${hash}-${count}`;
    known.add(id);
    const { client, file, place } = from;
    all.servers.push({ id, client, file, place, listed });
  }
}
