import { randomBytes } from "node:crypto";
import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { problemFromWire } from "../../contract/index.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { ofTools, type Telling } from "./answers.ts";
import type { Core, CoreSource } from "./core.ts";
import { CoreWatch, everything, type Listed } from "./core-watch.ts";
import { servePassed } from "./passed-handlers.ts";
import { PassedLists } from "./passed-lists.ts";
import { programOf } from "./program.ts";
import { type Asked, RunningCall } from "./running-call.ts";
import { listedTools } from "./tool-list.ts";

export interface DoorOptions {
  agentId: string;
  version: string;
  source: CoreSource;
  /** False where each request stands for itself: nothing is then allowed for longer than one call. */
  hasSession: boolean;
  /** Told when the agent offers something else, beside the clients themselves. */
  onChanged?(of: Listed): void;
  clock?: Clock;
}

/** Where a request came in. */
interface Place {
  server: Server;
  era: McpRequestContext["era"];
  ctx: ServerContext;
}

/** Most calls of one client that run or wait at the same time. */
const mostCalls = 256;
/** How long the end of a call is kept for a client that was asked something and has not come back, milliseconds. */
const keptMs = 10 * 60 * 1_000;
/** How long a client has for a question, milliseconds; Patchbay's own limits for answers are shorter. */
const answerMs = 60 * 60 * 1_000;

const changing = { listChanged: true };
const capabilities = { tools: changing, prompts: changing, resources: changing, completions: {} };

/** A call of the pipeline that a client wants. */
interface Wanted {
  name: string;
  input: Record<string, unknown>;
}

/** The way of another program to the tools, prompts and resources of one agent. Ended by `close`, which stops every call. */
export class Door {
  readonly #options: DoorOptions;
  readonly #clock: Clock;
  readonly #calls = new Map<string, RunningCall>();
  /** Calls that have ended and whose end nobody has fetched yet, with the clock's ticks at their end. */
  readonly #ended = new Map<string, number>();
  readonly #servers = new Set<Server>();
  /** Tool → key of its plugin, as it was listed last. */
  readonly #owners = new Map<string, string | null>();
  readonly #sessionId = newSessionId();
  #watch: { core: Core; of: CoreWatch } | undefined;
  #closed = false;

  constructor(options: DoorOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Whether calls run, or wait for somebody who fetches their end. */
  get isBusy(): boolean {
    this.#forgetOld();
    return this.#calls.size > 0;
  }

  /** A server for one connection, or for one request of a client that has none. */
  server({ era }: Pick<McpRequestContext, "era">): Server {
    const { version } = this.#options;
    const server = new Server({ name: "patchbay", title: "Patchbay", version }, { capabilities });
    const call = <T>(wanted: Wanted, ctx: ServerContext, telling: Telling<T>) =>
      this.#answer({ server, era, ctx }, wanted, telling);
    server.setRequestHandler("tools/list", async () => ({ tools: await this.#list() }));
    server.setRequestHandler("tools/call", ({ params: { name, arguments: input = {} } }, ctx) =>
      call({ name, input }, ctx, ofTools),
    );
    servePassed(server, {
      look: (work) => this.#look((core) => work(new PassedLists(core, this.#options.agentId))),
      call,
    });
    this.#servers.add(server);
    server.onclose = () => this.#servers.delete(server);
    return server;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watch?.of.end();
    const running = [...this.#calls.values()];
    for (const call of running) call.stop();
    await Promise.all(running.map(({ done }) => done));
    this.#calls.clear();
  }

  #list() {
    return this.#look(async ({ client }) => {
      const rights = await client.tools.rights({ agentId: this.#options.agentId });
      for (const { name, owner } of rights.tools) this.#owners.set(name, owner);
      return listedTools(rights);
    });
  }

  /** Looks something up, and hears of its changes from now on. @throws ProtocolError */
  #look<T>(work: (core: Core) => Promise<T>): Promise<T> {
    return this.#options.source
      .use(async (core) => {
        await this.#watched(core);
        return work(core);
      })
      .catch((error: unknown) => {
        throw new ProtocolError(ProtocolErrorCode.InternalError, problemFromWire(error).message);
      });
  }

  async #answer<T>(at: Place, wanted: Wanted, telling: Telling<T>): Promise<T | InputRequiredResult> {
    const { server, ctx } = at;
    const state = ctx.mcpReq.requestState<unknown>();
    let call: RunningCall;
    try {
      call =
        state === undefined
          ? await this.#begin(wanted, programOf(server, ctx))
          : this.#waiting(state, wanted);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      return telling.failed(error);
    }
    if (state !== undefined)
      await call.answerAll((id) => {
        const given = inputResponse(ctx.mcpReq.inputResponses, id);
        return given.kind === "elicit" ? given : undefined;
      });
    return this.#follow(call, at, telling);
  }

  /** Begins a call. Resolves when it runs. */
  #begin({ name, input }: Wanted, program: { name: string; canAsk: boolean }): Promise<RunningCall> {
    this.#forgetOld();
    if (this.#closed || this.#calls.size >= mostCalls)
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "Too many calls run at the same time.");
    const { agentId, source, hasSession } = this.#options;
    const sessionId = hasSession ? this.#sessionId : newSessionId();
    const { promise, resolve, reject } = Promise.withResolvers<RunningCall>();
    source
      .use(async (core) => {
        await this.#watched(core);
        const call = new RunningCall(core, { agentId, sessionId, hasSession, name, input, program });
        this.#calls.set(call.id, call);
        resolve(call);
        await call.done;
        this.#ended.set(call.id, this.#clock.ticks());
      })
      .catch(reject);
    return promise;
  }

  #forgetOld(): void {
    const since = this.#clock.ticks() - keptMs;
    for (const [id, at] of this.#ended) if (at < since || !this.#calls.has(id)) this.#forget(id);
  }

  #forget(id: string): void {
    this.#calls.delete(id);
    this.#ended.delete(id);
  }

  /** The call that a client goes on with. */
  #waiting(state: unknown, { name }: Wanted): RunningCall {
    const call = typeof state === "string" ? this.#calls.get(state) : undefined;
    if (call?.request.name === name) return call;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "There is no such call that waits for an answer.",
    );
  }

  /** Tells the client how far the call is, asks it what the call waits for, and gives it the end. */
  async #follow<T>(
    call: RunningCall,
    { era, ctx }: Place,
    telling: Telling<T>,
  ): Promise<T | InputRequiredResult> {
    const { signal, _meta } = ctx.mcpReq;
    const token = _meta?.progressToken;
    let progress = 0;
    let told: Promise<void> = Promise.resolve();
    if (token !== undefined)
      call.onProgress = (message) => {
        progress += 1;
        const params = { progressToken: token, progress, message };
        told = told
          .then(() => ctx.mcpReq.notify({ method: "notifications/progress", params }))
          .catch(() => {});
      };
    const stop = () => call.stop();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      for (;;) {
        const step = await call.next();
        if (step.type === "ended") {
          this.#forget(call.id);
          // What was said before the answer is heard before it.
          await told;
          return "answer" in step ? telling.done(step.answer) : telling.failed(step.error);
        }
        const { asked } = step;
        if (era === "modern")
          return inputRequired({
            inputRequests: { [asked.id]: inputRequired.elicit(asked.form) },
            requestState: call.id,
          });
        void this.#push(call, asked, ctx);
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Asks a client of the older revisions, while the call goes on when it is answered elsewhere. */
  async #push(call: RunningCall, { id, form, over }: Asked, ctx: ServerContext): Promise<void> {
    const how = { signal: over, timeout: answerMs };
    const given = await ctx.mcpReq
      .elicitInput(form, how)
      .catch(() => ({ action: "cancel" as const, content: undefined }));
    await call.answer(id, given);
  }

  /** Hears of questions and changes from now on. @throws TypeError when the core is gone */
  #watched(core: Core): Promise<void> {
    if (this.#watch?.core !== core) {
      const before = this.#watch?.core;
      this.#watch?.of.end();
      const of = new CoreWatch(core, this.#options.agentId, {
        changed: (of) => this.#changed(of),
        dialog: (dialog) => void this.#callOf(dialog.sessionId, dialog.pluginKey)?.ask(dialog),
        dialogClosed: (id) => {
          for (const call of this.#calls.values()) call.dialogClosed(id);
        },
      });
      this.#watch = { core, of };
      // A core of this process that rested and was opened again has the same tools.
      if (before && !(before.alone && core.alone)) for (const one of everything) this.#changed(one);
    }
    return this.#watch.of.ready;
  }

  /** The call during which a plugin asks something. */
  #callOf(sessionId: string | undefined, pluginKey: string): RunningCall | undefined {
    const here = [...this.#calls.values()].filter(({ request }) => request.sessionId === sessionId);
    const isOf = ({ request: { name } }: RunningCall) =>
      this.#owners.get(name) === pluginKey || name.endsWith(`:${pluginKey}`);
    return here.find(isOf) ?? here[0];
  }

  #changed(of: Listed): void {
    if (this.#options.hasSession)
      for (const server of this.#servers) if (server.transport) told(server, of).catch(() => {});
    this.#options.onChanged?.(of);
  }
}

function told(server: Server, of: Listed): Promise<void> {
  switch (of) {
    case "tools":
      return server.sendToolListChanged();
    case "prompts":
      return server.sendPromptListChanged();
    case "resources":
      return server.sendResourceListChanged();
  }
}

function newSessionId(): string {
  return `mcp-${randomBytes(9).toString("hex")}`;
}
