import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A team's catalogue and its registry on loopback, as a person would find them in use. */
export class Team implements AsyncDisposable {
  readonly #server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "/");
    // One package is never handed out, so that its installation can be looked at.
    if (path.startsWith("/npm/@team/slow")) return;
    const answer = answerTo(path);
    response.statusCode = answer === null ? 404 : 200;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer));
  });

  static async open(): Promise<Team> {
    const team = new Team();
    team.#server.listen(0, "127.0.0.1");
    await once(team.#server, "listening");
    return team;
  }

  get settings() {
    const { port } = this.#server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    return { catalogUrls: [`${url}/catalog.json`], registry: `${url}/npm/` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

type Listed = [name: string, runtime: string, capabilities: object, publisher: string, description: string];

const tools = (namespace: string, count: number) => ({ tools: { namespace, count } });
const hooks = (...events: string[]) => ({ hooks: { events } });
const commands = (...names: string[]) => ({ commands: { names } });
const channel = { channel: { hasSetup: true } };

const listed: Listed[] = [
  ["Archive", "native", tools("archive", 3), "Ada", "Packs and unpacks archives in the workspace."],
  [
    "Birthday list",
    "flowly",
    { ...tools("birthdays", 2), ...hooks("prompt.assemble@v1") },
    "Noor",
    "Knows whose day it is, and says so in the morning.",
  ],
  [
    "Calendar sync",
    "native",
    { ...tools("calendar", 4), ...commands("today") },
    "Kim",
    "Reads and plans appointments in a shared calendar.",
  ],
  [
    "Confirm rm",
    "dirge",
    hooks("tool.before@v1"),
    "Grace",
    "Asks once more before a shell command removes something.",
  ],
  ["Counter", "fledge", tools("counter", 1), "Ada", "Counts words, lines and characters."],
  [
    "Disk tidy",
    "flowly",
    { ...hooks("turn.end@v1", "tool.after@v1"), ...commands("tidy") },
    "Noor",
    "Finds what fills the disk and suggests what may go.",
  ],
  [
    "Exchange rates",
    "native",
    tools("rates", 2),
    "Kim",
    "Converts between currencies with yesterday's rates.",
  ],
  [
    "Feed reader",
    "flowly",
    tools("feeds", 5),
    "Tomás",
    "Follows feeds and sums up what is new since last time.",
  ],
  ["Ledger", "native", tools("ledger", 6), "Grace", "Books expenses, and tells where the month went."],
  ["Letters", "fledge", tools("letters", 3), "Tomás", "Sets letters from a template and hands out the PDF."],
  [
    "Minutes",
    "native",
    { ...channel, ...tools("minutes", 2) },
    "Kim",
    "Takes the minutes of a call and files them.",
  ],
  [
    "Night shift",
    "dirge",
    hooks("tool.before@v1"),
    "Ada",
    "Refuses what should wait until somebody is awake.",
  ],
  ["Photo frame", "flowly", tools("photos", 4), "Noor", "Finds photos by what is on them."],
  ["Read aloud", "fledge", commands("say"), "Ada", "Speaks the answer when you ask for it."],
  [
    "Redact",
    "dirge",
    hooks("message.final@v1"),
    "Grace",
    "Takes names and numbers out of what leaves the house.",
  ],
  ["Translate", "native", tools("translate", 1), "Tomás", "Translates a text, or a whole folder of them."],
  ["Transit", "native", tools("transit", 3), "Kim", "Knows when the next tram goes, and from which side."],
];

const keyOf = (name: string) => name.toLowerCase().replaceAll(" ", "-");

const catalogue = {
  name: "Team",
  plugins: listed.map(([displayName, runtime, capabilities, publisher, description]) => ({
    key: `team-${keyOf(displayName)}`,
    packageName: `@team/${keyOf(displayName)}`,
    packageVersion: "2.1.0",
    displayName,
    description,
    runtime,
    capabilities,
    publisher,
    permissions: { network: ["calendar.example.com"], files: "workspace", subprocess: false },
  })),
};

function answerTo(path: string): unknown {
  if (path === "/catalog.json") return catalogue;
  if (path.startsWith("/npm/-/v1/search")) return { objects: [] };
  const name = path.slice("/npm/".length);
  if (!catalogue.plugins.some(({ packageName }) => packageName === name)) return null;
  return {
    name,
    "dist-tags": { latest: "2.1.0" },
    license: "MIT",
    time: {
      "1.4.2": "2026-01-12T09:30:00Z",
      "2.0.0": "2026-06-02T09:30:00Z",
      "2.1.0": "2026-11-05T09:30:00Z",
    },
    versions: {
      "1.4.2": { deprecated: "Does not know daylight saving time.", dist: { unpackedSize: 41_000 } },
      "2.0.0": { dist: { unpackedSize: 57_000 } },
      "2.1.0": { dist: { unpackedSize: 58_400 }, _npmUser: { name: "kim" } },
    },
  };
}
