import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A catalogue and a package registry on loopback that answer the requests that Discover makes. */
export class Sources implements AsyncDisposable {
  readonly #server: Server;
  /** The services in this set answer with an error until they are removed from it. */
  readonly broken = new Set<"catalogue" | "registry">();

  /** Names of packages in the registry that do not say that they are plugins. */
  readonly foreign = new Set<string>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<Sources> {
    const server = createServer((request, response) => {
      const answer = sources.#answer(decodeURIComponent(request.url ?? "/"));
      response.statusCode = answer === null ? 404 : answer === "broken" ? 503 : 200;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer));
    });
    const sources = new Sources(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return sources;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get settings() {
    return { catalogUrls: [`${this.url}/catalog.json`], registry: `${this.url}/npm/` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(path: string): unknown {
    if (path === "/catalog.json") return this.broken.has("catalogue") ? "broken" : catalogue;
    if (!path.startsWith("/npm/")) return null;
    if (this.broken.has("registry")) return "broken";
    if (path.startsWith("/npm/-/v1/search")) {
      const found = path.includes("keywords:patchbay-plugin") && path.includes("tide");
      return { objects: found ? [{ package: tides }] : [] };
    }
    const name = path.slice("/npm/".length);
    const asked = name.replace(/\/latest$/, "");
    if (this.foreign.has(asked)) return { ...tidesDocument, name: asked, version: "1.0.0" };
    const known = name === tidesDocument.name || name.startsWith("@team/listed-");
    return known ? { ...tidesDocument, name } : null;
  }
}

/** How many plugins the team's catalogue lists. */
export const listedCount = 10_000;
const runtimes = ["native", "fledge", "flowly", "dirge"];
const names = ["Calendar", "Letters", "Disk tidy", "Git tools", "Ledger", "Translate"];
const capabilities = [
  { tools: { namespace: "a", count: 4 } },
  { channel: { hasSetup: true } },
  { hooks: { events: ["tool.before@v1"] } },
  { commands: { names: ["tidy"] } },
];

const catalogue = {
  name: "Team",
  plugins: Array.from({ length: listedCount }, (_, index) => ({
    key: `listed-${index}`,
    packageName: `@team/listed-${index}`,
    packageVersion: "1.2.0",
    displayName: `${names[index % names.length]} ${index}`,
    description: "Looks after what you would otherwise forget.",
    runtime: runtimes[index % runtimes.length],
    capabilities: capabilities[index % capabilities.length],
    publisher: "Ada",
    ...(index === 0 && { permissions: { network: ["api.example.com"], files: "workspace" } }),
  })),
};

const tides = {
  name: "plugin-tides",
  version: "2.1.0",
  description: "Knows when the sea comes and goes.",
  keywords: ["patchbay-plugin"],
  publisher: { username: "grace" },
};
const tidesDocument = {
  name: "plugin-tides",
  "dist-tags": { latest: "2.1.0" },
  license: "MIT",
  time: { "1.0.0": "2026-01-02T03:04:05Z", "2.1.0": "2026-06-02T03:04:05Z" },
  versions: {
    "1.0.0": { deprecated: "Counts the tides of last year.", dist: { unpackedSize: 12_000 } },
    "2.1.0": { dist: { unpackedSize: 23_000 }, _npmUser: { name: "grace" } },
  },
};
