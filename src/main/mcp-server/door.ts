import { randomBytes } from "node:crypto";
import {
  type CallToolResult,
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
import { failureOf } from "./answers.ts";
import type { Core, CoreSource } from "./core.ts";
import { CoreWatch } from "./core-watch.ts";
import { programOf } from "./program.ts";
import { type Asked, RunningCall } from "./running-call.ts";
import { listedTools } from "./tool-list.ts";

export interface DoorOptions {
  agentId: string;
  version: string;
  source: CoreSource;
  /** False where each request stands for itself: nothing is then allowed for longer than one call. */
  hasSession: boolean;
  /** Told when the agent offers other tools, beside the clients themselves. */
  onToolsChanged?(): void;
  clock?: Clock;
}

/** Most calls of one client that run or wait at the same time. */
const mostCalls = 256;
/** How long the end of a call is kept for a client that was asked something and has not come back, milliseconds. */
const keptMs = 10 * 60 * 1_000;
/** How long a client has for a question, milliseconds; Patchbay's own limits for answers are shorter. */
const answerMs = 60 * 60 * 1_000;

type CallAnswer = CallToolResult | InputRequiredResult;
type Params = { name: string; arguments?: Record<string, unknown> | undefined };

/** The way of another program to the tools of one agent. Ended by `close`, which stops every call. */
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
    const server = new Server(
      { name: "patchbay", title: "Patchbay", version },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.setRequestHandler("tools/list", async () => ({ tools: await this.#list() }));
    server.setRequestHandler("tools/call", ({ params }, ctx) => this.#answer(server, era, params, ctx));
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
    const { source, agentId } = this.#options;
    return source
      .use(async (core) => {
        await this.#watched(core);
        const rights = await core.client.tools.rights({ agentId });
        for (const { name, owner } of rights.tools) this.#owners.set(name, owner);
        return listedTools(rights);
      })
      .catch((error: unknown) => {
        throw new ProtocolError(ProtocolErrorCode.InternalError, problemFromWire(error).message);
      });
  }

  async #answer(
    server: Server,
    era: McpRequestContext["era"],
    params: Params,
    ctx: ServerContext,
  ): Promise<CallAnswer> {
    const state = ctx.mcpReq.requestState<unknown>();
    let call: RunningCall;
    try {
      call =
        state === undefined
          ? await this.#begin(params, programOf(server, ctx))
          : this.#waiting(state, params);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      return failureOf(error);
    }
    if (state !== undefined)
      await call.answerAll((id) => {
        const given = inputResponse(ctx.mcpReq.inputResponses, id);
        return given.kind === "elicit" ? given : undefined;
      });
    return this.#follow(call, era, ctx);
  }

  /** Begins a call. Resolves when it runs. */
  #begin(
    { name, arguments: input = {} }: Params,
    program: { name: string; canAsk: boolean },
  ): Promise<RunningCall> {
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
  #waiting(state: unknown, { name }: Params): RunningCall {
    const call = typeof state === "string" ? this.#calls.get(state) : undefined;
    if (call?.request.name === name) return call;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "There is no such call that waits for an answer.",
    );
  }

  /** Tells the client how far the call is, asks it what the call waits for, and gives it the end. */
  async #follow(call: RunningCall, era: McpRequestContext["era"], ctx: ServerContext): Promise<CallAnswer> {
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
          return step.result;
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
        toolsChanged: () => this.#toolsChanged(),
        dialog: (dialog) => void this.#callOf(dialog.sessionId, dialog.pluginKey)?.ask(dialog),
        dialogClosed: (id) => {
          for (const call of this.#calls.values()) call.dialogClosed(id);
        },
      });
      this.#watch = { core, of };
      // A core of this process that rested and was opened again has the same tools.
      if (before && !(before.alone && core.alone)) this.#toolsChanged();
    }
    return this.#watch.of.ready;
  }

  /** The call during which a plugin asks something. */
  #callOf(sessionId: string | undefined, pluginKey: string): RunningCall | undefined {
    const here = [...this.#calls.values()].filter(({ request }) => request.sessionId === sessionId);
    return here.find(({ request }) => this.#owners.get(request.name) === pluginKey) ?? here[0];
  }

  #toolsChanged(): void {
    if (this.#options.hasSession)
      for (const server of this.#servers) if (server.transport) server.sendToolListChanged().catch(() => {});
    this.#options.onToolsChanged?.();
  }
}

function newSessionId(): string {
  return `mcp-${randomBytes(9).toString("hex")}`;
}
