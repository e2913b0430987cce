import { Client } from "@modelcontextprotocol/client";
import { type Artifact, PatchbayError, type Plugin } from "../../../contract/index.ts";
import { hostEnvironment } from "../../platform/host-environment.ts";
import type { LoginPath } from "../../platform/login-path.ts";
import type { Platform } from "../../platform/platform.ts";
import { putIntoWorkspace } from "../../platform/workspace.ts";
import type { Storage } from "../../store/index.ts";
import { folderOf } from "../artifact.ts";
import { namedAs } from "../hosted/foreign/named-as.ts";
import type {
  FoundElsewhere,
  Inspection,
  PluginRuntime,
  SetupPlugin,
  SetupRequest,
  StartRequest,
} from "../runtime.ts";
import { startFolder, wallOf } from "../wall-of.ts";
import { ServerAsks } from "./asks/asks.ts";
import { compiledOf, notCompiled } from "./compiled.ts";
import { connectProgram, type Era } from "./connection/connect.ts";
import { Connection, type ListKind } from "./connection/connection.ts";
import { connectRemote, placeOfServer, type RemoteServer } from "./connection/remote.ts";
import { detailsOf } from "./details.ts";
import type { BroughtServers } from "./import/brought-servers.ts";
import { inspectServer } from "./inspect.ts";
import { McpInstance } from "./mcp-instance.ts";
import { Listings } from "./offer/listings.ts";
import type { Keep } from "./offer/results.ts";
import { makeOwnPlaces, placesOf } from "./own-places.ts";
import { commandLineOf, grantedFolder, mayFetch } from "./server/command-line.ts";
import { endpointIn } from "./server/endpoint.ts";
import { ownCodeOf } from "./server/own-code.ts";
import { isServerFolder } from "./server/read-server.ts";
import { SignInSetup } from "./sign-in/sign-in-setup.ts";
import { withToken } from "./sign-in/with-token.ts";

export interface McpRuntimeOptions {
  platform: Pick<Platform, "spawnHost" | "walls" | "version">;
  storage: Pick<Storage, "places">;
  loginPath: Pick<LoginPath, "get">;
  /** The servers of other programs; absent: none are looked for. */
  brought?: Pick<BroughtServers, "found">;
  /** Address of the public document that describes Patchbay to providers; null: there is none. */
  clientMetadataUrl(): string | null;
}

/** Milliseconds that the first start may take of a server whose program fetches it. */
const FETCHING_MS = 120_000;
/** The longest that a start is waited for by the connection itself; before that its signal ends it. */
const LONGEST_MS = 24 * 60 * 60 * 1_000;

function runOf({ id, packageVersion }: Plugin, agentId: string): string {
  return `${agentId} ${id} ${packageVersion}`;
}

/** MCP servers: one program or one connection for each agent. */
export class McpRuntime implements PluginRuntime {
  readonly id = "mcp";
  readonly displayName = "MCP";
  readonly tellsAtStart = true;
  readonly #options: McpRuntimeOptions;
  /** What a version of a server turned out to speak, so that its next start asks for that first. */
  readonly #eras = new Map<string, Era>();
  /** The versions that have run for an agent since Patchbay started. */
  readonly #ran = new Set<string>();
  readonly #openClients = new Set<string>();

  constructor(options: McpRuntimeOptions) {
    this.#options = options;
  }

  get enforcement(): string {
    const { stands, problem, help } = this.#options.platform.walls();
    if (stands)
      return "An MCP server is a program. It runs in a process of its own behind walls: of your files, programs and network it gets what is granted here, and of settings and secrets its own. Which of its tools an agent may use, Patchbay decides.";
    const why = [problem, help].filter((sentence) => sentence !== null).join(" ");
    return `An MCP server is a program that runs under your account. Patchbay starts it and decides which of its tools an agent may use; nothing walls it in on this machine. ${why}`.trim();
  }

  enforcementOf({ declaration }: Inspection): string {
    const { server } = detailsOf(declaration).file;
    if (server.type !== "remote") return this.enforcement;
    return "Patchbay does not run it: it answers at an address, and what agents send it goes there. Patchbay decides which of its tools they may use.";
  }

  endpointOf(spec: string): string | null {
    return endpointIn(spec);
  }

  async recognise(artifact: Artifact): Promise<boolean> {
    if (artifact.kind === "endpoint") return /^https?:/.test(artifact.url);
    return isServerFolder(artifact.dir);
  }

  async inspect(artifact: Artifact): Promise<Inspection> {
    const { platform, loginPath } = this.#options;
    return inspectServer(artifact, { stands: platform.walls().stands, path: await loginPath.get() });
  }

  fetchMs(plugin: Plugin, agentId: string): number | null {
    // What has run before has been fetched; each agent has a cache of its own.
    if (this.#ran.has(runOf(plugin, agentId))) return null;
    return mayFetch(detailsOf(plugin.declaration).file.server) ? FETCHING_MS : null;
  }

  found(signal: AbortSignal): Promise<FoundElsewhere> {
    const none = Promise.resolve({ plugins: [], places: [], problem: null });
    return this.#options.brought?.found(signal) ?? none;
  }

  namedAs(inspection: Inspection, key: string): Inspection {
    return namedAs(inspection, key);
  }

  async start(request: StartRequest, signal: AbortSignal): Promise<McpInstance> {
    const { plugin, workspace, limits, walls } = request;
    const asks = new ServerAsks(request);
    const connection = await this.#connect(request, asks, signal);
    const { manifestKey: key, displayName, trust } = plugin;
    const { server } = detailsOf(plugin.declaration).file;
    const mirrors = connection.host !== null && connection.era === "modern";
    const listings = new Listings(connection.client, {
      key,
      displayName,
      trust,
      mirrors,
      timeoutMs: limits.startMs,
      place: server.type === "remote" ? placeOfServer(server, request) : null,
    });
    const { root } = this.#options.storage.places;
    const keep: Keep = (content, name) =>
      putIntoWorkspace({ workspace, root, refused: walls.refused }, `from-plugins/${key}`, {
        name,
        bytes: Buffer.from(content),
      });
    try {
      const offer = await listings.read(undefined, signal);
      signal.throwIfAborted();
      return new McpInstance(request, connection, { listings, offer, keep, asks });
    } catch (error) {
      await connection.close();
      connection.transport?.end();
      await connection.transport?.exited;
      if (error instanceof PatchbayError || signal.aborted) throw error;
      throw new PatchbayError("START_FAILED", `${displayName} does not say what it offers.`, {
        cause: error,
      });
    }
  }

  async openSetup(request: SetupRequest): Promise<SetupPlugin> {
    const { file } = detailsOf(request.plugin.declaration);
    const { server } = file;
    if (server.type !== "remote")
      throw new PatchbayError("NO_SETUP", "Servers on this computer have settings and no sign-in.");
    return new SignInSetup(request, {
      file,
      server,
      client: (era) => this.#client(null, era),
      clientMetadataUrl: this.#options.clientMetadataUrl(),
      openClients: this.#openClients,
    });
  }

  #connect(request: StartRequest, asks: ServerAsks, signal: AbortSignal): Promise<Connection> {
    const { server } = detailsOf(request.plugin.declaration).file;
    return server.type === "remote"
      ? this.#connectRemote(server, request, { asks, signal })
      : this.#connectProgram(request, asks, signal);
  }

  async #connectRemote(
    server: RemoteServer,
    request: StartRequest,
    { asks, signal }: { asks: ServerAsks; signal: AbortSignal },
  ): Promise<Connection> {
    let connection: Connection | undefined;
    const client = (era: Era) => this.#client(asks, era, "", (kind) => connection?.listChanged(kind));
    connection = await connectRemote(server, request, {
      client,
      authorize: (address, fetch) => withToken(request.services, address, fetch),
      signal,
    });
    return connection;
  }

  async #connectProgram(request: StartRequest, asks: ServerAsks, signal: AbortSignal): Promise<Connection> {
    const { plugin, agentId, workspace, services, limits, walls } = request;
    const { platform, storage, loginPath } = this.#options;
    const files = request.files ?? storage.places.pluginFiles(agentId, plugin.manifestKey);
    const { server } = detailsOf(plugin.declaration).file;
    if (server.type === "remote") throw new Error("a remote server has no program");
    const dir = folderOf(plugin.artifact);
    const own = makeOwnPlaces(files);
    const [path, compiled] = await Promise.all([
      loginPath.get(),
      server.type === "node" ? compiledOf(storage.places.compiled, dir, request.alone === true) : notCompiled,
    ]);
    signal.throwIfAborted();
    const line = commandLineOf(server, {
      filling: { inputs: request.config, places: placesOf(dir, workspace) },
      path,
      // The desktop app is its own Node, when it is told to be.
      own: { file: process.execPath, env: { ELECTRON_RUN_AS_NODE: "1" } },
    });
    const wall = wallOf({
      walls,
      dir,
      workspace,
      root: storage.places.root,
      own: [own.private, ...compiled.write],
    });
    const start = grantedFolder(server, wall) ?? startFolder(request);
    if (typeof server.cwd === "object" && start !== server.cwd.folder)
      services.log(
        "info",
        `It is started in ${start}: the folder ${server.cwd.folder} is not granted.`,
        "patchbay",
      );
    let connection: Connection | undefined;
    const known = `${plugin.id} ${plugin.packageVersion}`;
    const fetches = this.fetchMs(plugin, agentId) !== null;
    const connected = await connectProgram({
      plugin: plugin.displayName,
      spawn: () =>
        platform.spawnHost({
          file: line.file,
          args: line.args,
          cwd: line.inPlugin ? dir : start,
          env: { ...hostEnvironment(), PATH: path, ...own.env, ...compiled.env, ...line.env },
          wire: "stdio",
          wall: { ...wall, read: [...wall.read, line.file, ...ownCodeOf(server), ...compiled.read] },
        }),
      client: (era, revision) => this.#client(asks, era, revision, (kind) => connection?.listChanged(kind)),
      events: {
        said: (text) => services.log("info", text, "plugin"),
        noise: (text, count) => {
          if (count <= 5) services.log("warn", `It printed what is no message: ${text}`, "patchbay");
          if (count === 5)
            services.log("warn", "It goes on printing where only messages belong.", "patchbay");
        },
        tooLarge: () => services.reportError("It returned more than 32 MB at once, and is started again."),
      },
      known: this.#eras.get(known),
      timeoutMs: fetches ? LONGEST_MS : limits.startMs,
      signal,
    });
    this.#eras.set(known, connected.era);
    this.#ran.add(runOf(plugin, agentId));
    connection = new Connection({ ...connected, host: null });
    return connection;
  }

  /** @param asks what it may ask; null: nothing, while it is only signed in to */
  #client(
    asks: ServerAsks | null,
    era: Era,
    revision = "",
    changed: (kind: ListKind) => void = () => {},
  ): Client {
    const onChanged = (kind: ListKind) => ({ autoRefresh: false, onChanged: () => changed(kind) });
    const client = new Client(
      { name: "patchbay", title: "Patchbay", version: this.#options.platform.version },
      {
        capabilities: asks?.capabilities ?? {},
        versionNegotiation: {
          mode: era === "legacy" ? "legacy" : revision === "" ? "auto" : { pin: revision },
        },
        listChanged: {
          tools: onChanged("tools"),
          prompts: onChanged("prompts"),
          resources: onChanged("resources"),
        },
      },
    );
    asks?.serve(client);
    return client;
  }
}
