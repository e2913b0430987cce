import { type Progress, ProtocolError } from "@modelcontextprotocol/client";
import { z } from "zod";
import { PatchbayError } from "../../../contract/index.ts";
import { systemClock } from "../../base/clock.ts";
import type { HostExit } from "../../platform/platform.ts";
import {
  type CallOf,
  type CallResult,
  type CallResults,
  type CallScope,
  callUnsupported,
  type PluginCall,
  type ToolOutput,
} from "../plugin-call.ts";
import type { InstanceContributions, PluginInstance, StartRequest } from "../runtime.ts";
import { answered } from "./asks/answered.ts";
import type { ServerAsks } from "./asks/asks.ts";
import type { Connection, Speaks } from "./connection/connection.ts";
import { endedInCall, faultOf } from "./connection/faults.ts";
import type { Listings, Offer } from "./offer/listings.ts";
import { outputFault } from "./offer/output-check.ts";
import { paramHeaders } from "./offer/param-headers.ts";
import { listedPart, readParts } from "./offer/reading-tools.ts";
import { failureText, type Keep, promptOutputOf, resultSchema, toolOutputOf } from "./offer/results.ts";
import { ListedResources } from "./resources/listed-resources.ts";
import { resourceOutputOf } from "./resources/read-resource.ts";
import { suggestionRequest, suggestionsIn } from "./resources/suggestions.ts";

/** Milliseconds in which a program whose input was closed ends by itself. */
const PATIENCE_MS = 2_000;

/** The answer of a server at an address that misses arguments in the headers. */
const HEADERS_DIFFER = -32_020;

/** What a request is about, beside what is sent. */
interface Asked {
  what: string;
  /** For the heading of a question in the middle of it. */
  doing: string;
  scope: CallScope;
  progress?: (text: string) => void;
  /** Further headers, for a server at an address. */
  headers?: Record<string, string>;
}

/** A started server for one agent: one program, or one connection. */
export class McpInstance implements PluginInstance {
  readonly exited: Promise<HostExit>;
  readonly #request: StartRequest;
  readonly #connection: Connection;
  readonly #listings: Listings;
  readonly #keep: Keep;
  readonly #reading = new ListedResources();
  readonly #asks: ServerAsks;
  #offer: Offer;
  /** How many calls wait for an answer. */
  #underWay = 0;
  /** How often it said since its start that its resources are others. */
  #resourceChanges = 0;
  #listing = Promise.resolve();
  /** Tools whose answers turned out to be other than their server says. */
  readonly #unlike = new Set<string>();

  constructor(
    request: StartRequest,
    connection: Connection,
    { listings, offer, keep, asks }: { listings: Listings; offer: Offer; keep: Keep; asks: ServerAsks },
  ) {
    this.#request = request;
    this.#asks = asks;
    this.#connection = connection;
    this.#listings = listings;
    this.#offer = offer;
    this.#keep = keep;
    this.exited = connection.exited.then((exit) => this.#judged(exit));
    connection.onListChanged((kind) => {
      // Some say one thing and change another: all that is known is read again.
      this.#reading.changed();
      if (kind === "resources") this.#resourceChanges += 1;
      void this.#listAgain();
    });
    void listings
      .withIcon(() => this.#offer)
      .then((offer) => {
        if (offer === null) return;
        this.#offer = offer;
        request.services.contributionsChanged(this.contributions);
      });
  }

  get pid(): number | null {
    return this.#connection.pid;
  }

  get contributions(): InstanceContributions {
    const { contributions } = this.#offer;
    return this.#resourceChanges === 0
      ? contributions
      : { ...contributions, resourceChanges: this.#resourceChanges };
  }

  /** What was agreed on with the server, and what it calls itself. */
  get speaks(): Speaks {
    return this.#connection.speaks;
  }

  call<C extends PluginCall>(call: C, scope: CallScope): Promise<CallResult<C>> {
    // The switch returns the result type of its kind, but TypeScript cannot follow that from `call.kind` to `C`.
    return this.#make(call, scope) as Promise<CallResult<C>>;
  }

  async ping(signal: AbortSignal): Promise<{ memoryBytes: number }> {
    await this.#connection.ping(signal);
    return { memoryBytes: this.#connection.memoryBytes() };
  }

  async stop(): Promise<void> {
    const { transport } = this.#connection;
    await this.#connection.close();
    if (!transport) return;
    const cancel = systemClock.after(PATIENCE_MS, () => transport.end());
    await transport.exited;
    cancel();
  }

  /** A program may end when nobody needs it. */
  #judged(exit: HostExit): HostExit {
    const isFine = exit.code === 0 && exit.endedFor === undefined && exit.error === undefined;
    return isFine && this.#underWay === 0 && this.#connection.transport !== null
      ? { ...exit, finished: true }
      : exit;
  }

  async #make(call: PluginCall, scope: CallScope): Promise<CallResults[PluginCall["kind"]]> {
    switch (call.kind) {
      case "tool":
        return this.#callTool(call, scope);
      case "prompt":
        return this.#ask(
          { method: "prompts/get", params: { name: call.name, arguments: call.args } },
          { what: call.name, doing: `prompt ${call.name}`, scope },
          (raw) => promptOutputOf(raw, this.#keep),
        );
      case "resource":
        return this.#ask(
          { method: "resources/read", params: { uri: call.uri } },
          { what: call.uri, doing: `resource ${call.uri}`, scope },
          async (raw) => resourceOutputOf(raw),
        );
      case "resources":
        return this.#reading.list((request, read) =>
          this.#ask(request, { what: "The list of its resources", doing: "resources", scope }, read),
        );
      case "suggest":
        return this.#ask(
          suggestionRequest(call),
          { what: call.field, doing: `suggestions for ${call.field}`, scope },
          async (raw) => suggestionsIn(raw),
        );
      case "hook":
      case "command":
      case "webhook":
      case "send":
      case "shortcut":
        throw callUnsupported(this.#request.plugin.displayName, call.kind);
    }
  }

  async #callTool(call: CallOf<"tool">, scope: CallScope): Promise<CallResults["tool"]> {
    try {
      return await this.#callListed(call, scope);
    } catch (error) {
      const isOld =
        error instanceof PatchbayError &&
        ProtocolError.isInstance(error.cause) &&
        error.cause.code === HEADERS_DIFFER;
      if (!isOld) throw error;
      // It wants other arguments in headers than its list said when it was read.
      await this.#listAgain();
      return this.#callListed(call, scope);
    }
  }

  /** Answers one of the tools that are not the server's own. */
  async #callReading(name: string, input: Record<string, unknown>, scope: CallScope): Promise<ToolOutput> {
    switch (this.#offer.contributions.tools.find((tool) => tool.name === name)?.reading) {
      case "list_resources": {
        const list = await this.call({ kind: "resources" }, scope);
        return { content: [await listedPart(list, String(input.words ?? ""), this.#keep)] };
      }
      case "read_resource": {
        const output = await this.call({ kind: "resource", uri: String(input.uri) }, scope);
        return { content: await readParts(output, this.#keep) };
      }
      case undefined:
        throw new PatchbayError("TOOL_NOT_FOUND", `It has no tool named ${name} any more.`);
    }
  }

  #callListed({ name, input, onUpdate }: CallOf<"tool">, scope: CallScope): Promise<CallResults["tool"]> {
    const { ownNames, mirrored } = this.#offer;
    const own = ownNames.get(name);
    if (own === undefined) return this.#callReading(name, input, scope);
    const params = mirrored.get(own);
    return this.#ask(
      { method: "tools/call", params: { name: own, arguments: input } },
      {
        what: own,
        doing: `tool ${this.#request.plugin.manifestKey}.${own}`,
        scope,
        progress: onUpdate,
        ...(params && { headers: paramHeaders(params, input) }),
      },
      async (raw) => {
        const result = resultSchema.parse(raw);
        if (result.isError) throw new PatchbayError("TOOL_FAILED", failureText(result));
        this.#checkOutput(own, result.structuredContent, scope);
        return toolOutputOf(result, this.#keep);
      },
    );
  }

  /** Warns once of a tool whose answers are not what its server says; after that they are not looked at any more. */
  #checkOutput(own: string, structured: unknown, scope: CallScope): void {
    const tool = this.#offer.listed.get(own);
    if (tool?.outputSchema === undefined || this.#unlike.has(own)) return;
    const fault = outputFault(tool, structured);
    if (fault === null) return;
    this.#unlike.add(own);
    this.#request.services.log("warn", fault, "patchbay", scope);
  }

  /** Makes a request, whose answer may have any form: it is read by `read`. */
  async #ask<T>(
    request: { method: string; params: Record<string, unknown> },
    { what, doing, scope, progress, headers }: Asked,
    read: (raw: unknown) => Promise<T>,
  ): Promise<T> {
    const { plugin, limits, services } = this.#request;
    const limitMs = limits.toolMs;
    const call = this.#asks.begin(doing, scope);
    this.#underWay += 1;
    try {
      const onprogress =
        progress &&
        (({ message, progress: done, total }: Progress) => {
          scope.goesOn?.();
          progress(message ?? shareOf(done, total));
        });
      const options = { abort: scope.abort ?? scope.signal, headers, onprogress };
      const of = { asks: this.#asks, call, plugin: plugin.displayName };
      const raw = await answered(this.#connection, request, options, of);
      return await read(raw);
    } catch (error) {
      if (scope.signal.aborted) throw error;
      const ended = await this.#connection.endedNow();
      if (ended) throw endedInCall(what, ended, this.#connection.transport?.lastLines ?? []);
      if (error instanceof z.ZodError)
        throw new PatchbayError("TOOL_FAILED", `${what} answered in a form that cannot be read.`, {
          cause: error,
        });
      const fault = faultOf(error, {
        plugin: plugin.displayName,
        what,
        host: this.#connection.host,
        limitMs,
      });
      if (fault.code === "CREDENTIALS_REFUSED") services.reportError(fault.message, true);
      throw fault;
    } finally {
      this.#asks.end(call);
      this.#underWay -= 1;
    }
  }

  /** One after the other, so that the newest list is taken last. Never rejects. */
  #listAgain(): Promise<void> {
    this.#listing = this.#listing.then(() => this.#readOffer());
    return this.#listing;
  }

  async #readOffer(): Promise<void> {
    const { services } = this.#request;
    try {
      this.#offer = await this.#listings.read(this.#offer);
      services.contributionsChanged(this.contributions);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      services.log("warn", `It has changed what it offers, but does not say to what: ${said}`, "patchbay");
    }
  }
}

function shareOf(done: number, total: number | undefined): string {
  return total === undefined || total <= 0 ? String(done) : `${Math.round((done / total) * 100)} %`;
}
