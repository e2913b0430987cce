import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, extname, isAbsolute, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { PatchbayError } from "../../contract/index.ts";
import { hostEnvironment } from "../platform/host-environment.ts";
import type { LoginPath } from "../platform/login-path.ts";
import { configured, knownServers, type ServerSpec } from "./known-servers.ts";
import { LanguageServer } from "./language-server.ts";
import { answerOf, type CodeQuestion, needsPlace } from "./questions.ts";

/** Milliseconds for an answer, with the start of the server where it does not run yet. */
const PATIENCE_MS = 30_000;
/** Milliseconds after which a server that nobody asks is ended. */
const IDLE_MS = 10 * 60_000;
/** Bytes of a file that is shown to a server. */
const LARGEST_FILE = 4 * 1024 * 1024;
/** A server that did not start is not tried again for so many milliseconds. */
const AGAIN_MS = 60_000;

export interface ServerFound {
  name: string;
  /** Its program; null: it is not on this computer. */
  file: string | null;
  /** The ends of files that it is for, without the dot. */
  files: string[];
}

interface Running {
  server: Promise<LanguageServer>;
  idle: NodeJS.Timeout;
}

/** The language servers of all workspaces. Each is started when somebody first asks about a file of its language. */
export class LanguageServers {
  private readonly options: {
    /** Those that the person configured; they come before the known ones. */
    configured(): readonly { command: readonly string[]; files: readonly string[] }[];
    loginPath: LoginPath;
    /** Patchbay's own folder, which they never see. */
    root: string;
  };
  private readonly running = new Map<string, Running>();
  private readonly failed = new Map<string, number>();
  private closed = false;

  constructor(options: LanguageServers["options"]) {
    this.options = options;
  }

  /** What there is for a workspace, in the order in which it is chosen. */
  async list(workspace: string): Promise<ServerFound[]> {
    return Promise.all(
      this.specs().map(async ({ name, command: [program], languages }) => ({
        name,
        file: await this.find(program, workspace),
        files: Object.keys(languages),
      })),
    );
  }

  /** Whether any question could be answered: a server that is for files of this kind, or for any, is on this computer. */
  async has(workspace: string, file?: string): Promise<boolean> {
    const end = file === undefined ? undefined : endOf(file);
    return (await this.list(workspace)).some(
      (found) => found.file !== null && (end === undefined || found.files.includes(end)),
    );
  }

  /**
   * Asks about the code of a workspace.
   * @returns the answer as the protocol has it; null where no server runs for such files, or none answered in time
   * @throws PatchbayError BAD_INPUT for a place or a file that is none, or lies outside of the workspace
   */
  async ask(workspace: string, question: CodeQuestion, signal: AbortSignal): Promise<unknown> {
    checkPlace(question);
    const top = await realpath(workspace);
    const file =
      question.operation === "workspaceSymbol" && question.file === ""
        ? null
        : await inside(top, question.file);
    const found = await this.serverFor(top, file);
    if (!found) return null;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      const server = await withSignal(found.server, limit);
      const uri = file === null ? "" : pathToFileURL(file).href;
      if (file !== null) await server.show(uri, found.languageId, await textOf(file));
      return await answerOf(question, uri, {
        request: (method, parameters) => server.request(method, parameters, limit),
        diagnostics: (of) => server.diagnostics(of),
      });
    } catch (error) {
      if (error instanceof PatchbayError) throw error;
      signal.throwIfAborted();
      return null;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const all = [...this.running.values()];
    this.running.clear();
    await Promise.all(
      all.map(async ({ server, idle }) => {
        clearTimeout(idle);
        await (await server.catch(() => undefined))?.stop();
      }),
    );
  }

  private specs(): ServerSpec[] {
    return [...this.options.configured().map(configured), ...knownServers];
  }

  private async serverFor(
    workspace: string,
    file: string | null,
  ): Promise<{ server: Promise<LanguageServer>; languageId: string } | null> {
    for (const spec of this.specs()) {
      const languageId = file === null ? "" : spec.languages[endOf(file)];
      if (languageId === undefined || this.closed) continue;
      const program = await this.find(spec.command[0], workspace);
      if (program === null) continue;
      const name = JSON.stringify([workspace, program, ...spec.command.slice(1)]);
      if (Date.now() - (this.failed.get(name) ?? 0) < AGAIN_MS) continue;
      return { server: this.start(name, program, spec, workspace), languageId };
    }
    return null;
  }

  private start(name: string, file: string, spec: ServerSpec, workspace: string): Promise<LanguageServer> {
    const known = this.running.get(name);
    if (known) {
      known.idle.refresh();
      return known.server;
    }
    const server = this.begin(file, spec, workspace);
    const idle = setTimeout(() => void this.end(name), IDLE_MS);
    idle.unref();
    const entry = { server, idle };
    this.running.set(name, entry);
    const forget = () => {
      clearTimeout(idle);
      if (this.running.get(name) === entry) this.running.delete(name);
    };
    server.then(
      ({ ended }) => void ended.then(forget),
      () => {
        this.failed.set(name, Date.now());
        forget();
      },
    );
    return server;
  }

  private async begin(
    file: string,
    { command: [, ...args], initial }: ServerSpec,
    workspace: string,
  ): Promise<LanguageServer> {
    const path = await this.options.loginPath.get();
    return LanguageServer.start({
      file,
      args,
      workspace,
      initial,
      env: { ...hostEnvironment(), PATH: path },
      wall: {
        read: [workspace, await packageOf(file)],
        write: [],
        hidden: [this.options.root],
        programs: "any",
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  }

  private async end(name: string): Promise<void> {
    const entry = this.running.get(name);
    this.running.delete(name);
    await (await entry?.server.catch(() => undefined))?.stop();
  }

  /** The program of a server: what the workspace brings comes first. Null when it is not there. */
  private async find(program: string, workspace: string): Promise<string | null> {
    if (isAbsolute(program)) return (await isFile(program)) ? program : null;
    const path = await this.options.loginPath.get();
    const folders = [
      join(workspace, "node_modules", ".bin"),
      ...path.split(process.platform === "win32" ? ";" : ":"),
    ];
    const ends = process.platform === "win32" ? [".cmd", ".exe"] : [""];
    for (const folder of folders) {
      for (const end of ends) {
        const file = join(folder, program + end);
        if (folder !== "" && (await isFile(file))) return file;
      }
    }
    return null;
  }
}

/** What a program is made of: the folder in which the packages of npm lie together, or its own. */
async function packageOf(program: string): Promise<string> {
  const file = await realpath(program);
  const [before, ...rest] = file.split(`${sep}node_modules${sep}`);
  return rest.length > 0 ? join(before ?? sep, "node_modules") : dirname(file);
}

function endOf(file: string): string {
  return extname(file).slice(1).toLowerCase();
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

function checkPlace({ operation, line, character }: CodeQuestion): void {
  if (!needsPlace(operation)) return;
  for (const [name, value] of [
    ["line", line],
    ["character", character],
  ] as const) {
    if (value === undefined || !Number.isInteger(value) || value < 1) {
      throw new PatchbayError(
        "BAD_INPUT",
        `The ${name} of a question about code must be a whole number of at least 1.`,
      );
    }
  }
}

async function inside(workspace: string, file: string): Promise<string> {
  const found = await realpath(isAbsolute(file) ? file : join(workspace, file)).catch(() => null);
  if (found === null) throw new PatchbayError("BAD_INPUT", `There is no file ${file} in the workspace.`);
  const way = relative(workspace, found);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw new PatchbayError("BAD_INPUT", `${file} lies outside of the agent's workspace folder.`);
  }
  return found;
}

async function textOf(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > LARGEST_FILE)
    throw new PatchbayError("BAD_INPUT", `${file} is too large for a language server.`);
  return readFile(file, "utf8");
}

async function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return await Promise.race([
    work,
    new Promise<never>((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
    ),
  ]);
}
