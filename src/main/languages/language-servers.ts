import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import { PatchbayError } from "../../contract/index.ts";
import { isObject } from "../../contract/is-object.ts";
import type {
  LanguageServerView,
  LanguageTrial,
  LanguageTrouble,
} from "../../contract/procedures/languages.ts";
import { hostEnvironment } from "../platform/host-environment.ts";
import type { LoginPath } from "../platform/login-path.ts";
import { findProgram, packageOf } from "./find-program.ts";
import { configured, knownServers, type ServerSpec } from "./known-servers.ts";
import { LanguageServer } from "./language-server.ts";
import { answerOf, type CodeQuestion, needsPlace } from "./questions.ts";
import { troubleOf } from "./trouble.ts";
import { endOf, inside, sampleFile, textOf } from "./workspace-files.ts";

/** Milliseconds for an answer, with the start of the server where it does not run yet. */
const PATIENCE_MS = 30_000;
/** Milliseconds after which a server that nobody asks is ended. */
const IDLE_MS = 10 * 60_000;
/** A server that did not start is not tried again for so many milliseconds. */
const AGAIN_MS = 60_000;

/** Names of a file that a trial tells. */
const MOST_NAMES = 5;

/** A server with its program, where that is on this computer; `id` names it among those that run. */
interface Found {
  spec: ServerSpec;
  file: string | null;
  id: string;
}

interface Running {
  server: Promise<LanguageServer>;
  idle: NodeJS.Timeout;
  /** It has answered that it is there. */
  ready: boolean;
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
  private readonly failed = new Map<string, { at: number; trouble: LanguageTrouble }>();
  private closed = false;

  constructor(options: LanguageServers["options"]) {
    this.options = options;
  }

  /** What there is for a workspace, in the order in which it is chosen, and how each stands. */
  async list(workspace: string): Promise<LanguageServerView[]> {
    const top = await realpath(workspace).catch(() => workspace);
    return Promise.all(
      this.specs().map(async (spec) => {
        const { id, file } = await this.locate(spec, top);
        const running = this.running.get(id)?.ready === true;
        const trouble = running || file === null ? null : (this.failed.get(id)?.trouble ?? null);
        return {
          name: spec.name,
          command: [...spec.command],
          files: Object.keys(spec.languages).map((end) => `.${end}`),
          own: !knownServers.includes(spec),
          path: file,
          install: spec.install ?? null,
          state: running ? "running" : file === null ? "missing" : trouble ? "failed" : "ready",
          trouble,
        };
      }),
    );
  }

  /** Whether any question could be answered: a server that is for files of this kind, or for any, is on this computer. */
  async has(workspace: string, file?: string): Promise<boolean> {
    const end = file === undefined ? undefined : `.${endOf(file)}`;
    return (await this.list(workspace)).some(
      (found) => found.path !== null && (end === undefined || found.files.includes(end)),
    );
  }

  /**
   * Asks one of the servers, the one with this command, for the names in a file of the workspace. One that failed is
   * started again.
   * @throws PatchbayError BAD_INPUT where there is no such server, or its program is not on this computer
   */
  async try(workspace: string, command: readonly string[], signal: AbortSignal): Promise<LanguageTrial> {
    const wanted = JSON.stringify(command);
    const spec = this.specs().find((one) => JSON.stringify(one.command) === wanted);
    if (!spec || this.closed)
      throw new PatchbayError("BAD_INPUT", "There is no such language server any more.");
    const top = await realpath(workspace).catch(() => workspace);
    const { id, file: program } = await this.locate(spec, top);
    if (program === null)
      throw new PatchbayError("BAD_INPUT", `The program ${spec.command[0]} is not on this computer.`);
    const sample = await sampleFile(top, Object.keys(spec.languages));
    if (sample === null) return { outcome: "noFile" };
    const file = relative(top, sample);
    const begun = performance.now();
    this.failed.delete(id);
    try {
      const server = this.start(id, program, spec, top);
      const languageId = spec.languages[endOf(sample)] ?? "";
      const question = { operation: "documentSymbol", file: sample } as const;
      const names = namesIn(await this.put(server, languageId, sample, question, signal));
      const ms = Math.round(performance.now() - begun);
      return { outcome: "answered", file, count: names.length, names: names.slice(0, MOST_NAMES), ms };
    } catch (error) {
      signal.throwIfAborted();
      return { outcome: "failed", file, trouble: troubleOf(error) };
    }
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
    try {
      return await this.put(found.server, found.languageId, file, question, signal);
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

  private async locate(spec: ServerSpec, workspace: string): Promise<Found> {
    const file = await findProgram(spec.command[0], workspace, await this.options.loginPath.get());
    return { spec, file, id: JSON.stringify([workspace, file, ...spec.command.slice(1)]) };
  }

  private async serverFor(
    workspace: string,
    file: string | null,
  ): Promise<{ server: Promise<LanguageServer>; languageId: string } | null> {
    for (const spec of this.specs()) {
      const languageId = file === null ? "" : spec.languages[endOf(file)];
      if (languageId === undefined || this.closed) continue;
      const { id, file: program } = await this.locate(spec, workspace);
      if (program === null || Date.now() - (this.failed.get(id)?.at ?? 0) < AGAIN_MS) continue;
      return { server: this.start(id, program, spec, workspace), languageId };
    }
    return null;
  }

  /** Puts a question to a server that may still start. @param file its real path; null: the question is about none */
  private async put(
    starting: Promise<LanguageServer>,
    languageId: string,
    file: string | null,
    question: CodeQuestion,
    signal: AbortSignal,
  ): Promise<unknown> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const server = await withSignal(starting, limit);
    const uri = file === null ? "" : pathToFileURL(file).href;
    if (file !== null) await server.show(uri, languageId, await textOf(file));
    return await answerOf(question, uri, {
      request: (method, parameters) => server.request(method, parameters, limit),
      diagnostics: (of) => server.diagnostics(of),
    });
  }

  private start(id: string, file: string, spec: ServerSpec, workspace: string): Promise<LanguageServer> {
    const known = this.running.get(id);
    if (known) {
      known.idle.refresh();
      return known.server;
    }
    const server = this.begin(file, spec, workspace);
    const idle = setTimeout(() => void this.end(id), IDLE_MS);
    idle.unref();
    const entry: Running = { server, idle, ready: false };
    this.running.set(id, entry);
    const forget = () => {
      clearTimeout(idle);
      if (this.running.get(id) === entry) this.running.delete(id);
    };
    server.then(
      async ({ ended }) => {
        entry.ready = true;
        this.failed.delete(id);
        const crash = await ended;
        forget();
        // The next question starts it again at once.
        if (crash) this.failed.set(id, { at: 0, trouble: crash.trouble });
      },
      (error: unknown) => {
        forget();
        this.failed.set(id, { at: Date.now(), trouble: troubleOf(error) });
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

/** The names in an answer about the symbols of a file. */
function namesIn(answer: unknown): string[] {
  if (!Array.isArray(answer)) return [];
  return answer.flatMap((one: unknown) => {
    const name = isObject(one) ? one.name : undefined;
    return typeof name === "string" ? [name] : [];
  });
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
