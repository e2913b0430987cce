import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Capabilities,
  type Closure,
  JanetError,
  Native,
  sym,
  toBytes,
  toText,
  type Value,
} from "@patchbay/janet";
import { textOf } from "@patchbay/janet/parts";
import type { PluginEffect } from "@patchbay/plugin-sdk";
import type { DialogAnswer, DialogQuestion, LogLevel } from "../../../../../contract/index.ts";
import { isObject } from "../../../../../contract/is-object.ts";
import type { TellRefused } from "../../../hosted/node/walls/denials.ts";
import { dirgeHooks } from "../../hooks/event-map.ts";
import type { World } from "../api/api.ts";
import { bindAll } from "../api/index.ts";
import { keyed, parsedJson, textAt } from "../api/values.ts";
import { CallState, type Doing } from "../call-state.ts";
import type { Handler } from "../handler.ts";
import type { DirgeStart, HookPayload, HostContributions, HostRequest, PreparePayload } from "../protocol.ts";
import { Registrations } from "../registrations.ts";
import { TimeLimit } from "../time-limit.ts";
import { EnvironmentBinder } from "./binder.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { PluginEngine, type Running, TooLong, wordsOf } from "./engine.ts";
import { Printed } from "./printed.ts";

/** What a plugin needs of its host. */
export interface Surroundings {
  /** Asks the person, during a call. */
  ask(question: DialogQuestion, during: number | null): Promise<DialogAnswer>;
  code(request: Extract<HostRequest, { kind: "code.has" | "code.ask" }>): Promise<unknown>;
  log(level: LogLevel, text: string, during: number | null, output?: "stdout" | "stderr"): void;
  /** Told of what the plugin tried and is not granted. */
  refused: TellRefused;
}

/** Milliseconds for everything but hooks, which say their own. */
const CALL_MS = 30_000;

/** A loaded plugin in its engine. */
export class LoadedPlugin {
  readonly #start: DirgeStart;
  readonly #surroundings: Surroundings;
  readonly #capabilities: Capabilities;
  readonly #engine: PluginEngine;
  readonly #binder: EnvironmentBinder;
  readonly registrations = new Registrations();
  /** The hooks that the plugin has functions for, each with the name of its function. */
  readonly hooks = new Map<string, string>();

  constructor(start: DirgeStart, surroundings: Surroundings) {
    this.#start = start;
    this.#surroundings = surroundings;
    this.#capabilities = capabilitiesOf(start, surroundings.refused);
    const out = new Printed((text) => this.#log("info", text, "stdout"));
    const err = new Printed((text) => this.#log("error", text, "stderr"));
    this.#engine = new PluginEngine(
      {
        capabilities: this.#capabilities,
        stdout: (bytes) => out.write(bytes),
        stderr: (bytes) => err.write(bytes),
        cwd: process.cwd(),
        args: [],
      },
      (text) => this.#log("warn", text),
    );
    this.#binder = new EnvironmentBinder(this.#engine.hostEnvironment, () => this.#world());
    bindAll(this.#binder);
  }

  get contributions(): HostContributions {
    return this.registrations.contributions([...this.hooks.keys()]);
  }

  /** Loads its files in their order. @throws LoadError */
  async load(): Promise<void> {
    const { dir, files, id } = this.#start;
    const state = new CallState(null, "load");
    const limit = new TimeLimit(CALL_MS);
    try {
      for (const file of files) {
        const path = join(dir, file);
        await this.#engine.load(file, path, await readFile(path, "utf8"), state, limit);
      }
    } finally {
      limit.end();
    }
    for (const hook of dirgeHooks) {
      const own = `${id}-${hook}`;
      const name = this.#isFunction(own) ? own : this.#isFunction(hook) ? hook : null;
      if (name !== null) this.hooks.set(hook, name);
    }
  }

  /** Ends whatever of it is under way. */
  end(): void {
    this.#engine.end();
  }

  /** Calls the function for a hook. @throws JanetError, {@link TooLong} */
  async hook(state: CallState, hook: string, { ctx, limitMs }: HookPayload): Promise<string | null> {
    const name = this.hooks.get(hook);
    if (name === undefined) return null;
    const fields = Object.entries(ctx).map(([key, value]): [string, Value] => [
      key,
      typeof value === "string" ? toBytes(value) : value,
    ]);
    if (hook === "on-response" && typeof ctx.response === "string")
      this.#binder.setVariable("harness-response", toBytes(ctx.response));
    try {
      return await this.#run(state, { name }, [keyed(Object.fromEntries(fields))], limitMs);
    } finally {
      if (hook === "prepare-next-run") this.#binder.setVariable("harness-response", null);
    }
  }

  /** @throws JanetError, {@link TooLong} */
  async tool(
    state: CallState,
    { tool, input, toolCallId }: { tool: string; input: Record<string, unknown>; toolCallId: string },
  ): Promise<string> {
    const known = this.registrations.tools.get(tool);
    if (!known) throw new JanetError(toBytes(`there is no tool ${tool}`));
    this.#binder.setVariable("harness-current-tool-call", toBytes(toolCallId));
    try {
      return (await this.#run(state, known.handler, [toBytes(JSON.stringify(input))], CALL_MS)) ?? "";
    } finally {
      this.#binder.setVariable("harness-current-tool-call", null);
    }
  }

  /** The arguments of a tool as it prepares them; null where it does not, or in no usable way. */
  async prepare(
    state: CallState,
    { tool, args, limitMs }: PreparePayload,
  ): Promise<Record<string, unknown> | null> {
    const handler = this.registrations.tools.get(tool)?.prepare;
    if (!handler) return null;
    try {
      const said = await this.#call(state, handler, [toBytes(args)], limitMs);
      const json = parsedJson(textAt([said], 0) ?? "");
      return isObject(json) ? json : null;
    } catch (error) {
      if (error instanceof JanetError || error instanceof TooLong) return null;
      throw error;
    }
  }

  /** @throws JanetError, {@link TooLong} */
  async command(state: CallState, name: string, args: string): Promise<string> {
    const handler = this.registrations.commands.get(name);
    return this.#handled(state, handler, args.trim().split(/\s+/).join(" "));
  }

  /** @throws JanetError, {@link TooLong} */
  async shortcut(state: CallState, keys: string): Promise<string> {
    return this.#handled(state, this.registrations.shortcuts.get(keys)?.handler, keys);
  }

  async #handled(state: CallState, handler: Handler | undefined, text: string): Promise<string> {
    return (handler && (await this.#run(state, handler, [toBytes(text)], CALL_MS))) ?? "";
  }

  /** Calls a function, has drawn what it left to be drawn, and gives what it returned as text; null for nil and nothing. */
  async #run(state: CallState, handler: Handler, args: Value[], limitMs: number): Promise<string | null> {
    let returned: Value;
    try {
      returned = await this.#call(state, handler, args, limitMs);
    } finally {
      for (const effect of state.effects) await this.#draw(effect);
    }
    const text = returned === null ? "" : toText(textOf(returned));
    return text === "" ? null : text;
  }

  /** A function that is named and is not there is nothing. */
  async #call(state: CallState, handler: Handler, args: Value[], limitMs: number): Promise<Value> {
    const callee = "fn" in handler ? handler.fn : this.#engine.find(handler.name);
    if (callee === null) return null;
    const limit = new TimeLimit(limitMs);
    try {
      return await this.#engine.call(callee, args, { state, limit });
    } finally {
      limit.end();
    }
  }

  /** Lets the plugin's renderer draw an entry or a message. One that fails has drawn nothing. */
  async #draw(effect: PluginEffect): Promise<void> {
    if (effect.kind !== "entry" && effect.kind !== "customMessage") return;
    if (!effect.display || effect.type === undefined) return;
    const isEntry = effect.kind === "entry";
    const handler = this.registrations.renderers[isEntry ? "entry" : "message"].get(effect.type);
    if (!handler) return;
    const state = new CallState(null, "render");
    try {
      const given = isEntry ? this.#entryData(effect.data) : toBytes(messageText(effect));
      const line = await this.#call(state, handler, [given], CALL_MS);
      if (isEntry ? state.lines.length > 0 : false) effect.lines = state.lines;
      const text = isEntry ? undefined : textAt([line], 0);
      if (text) effect.lines = text.split("\n").map((one) => ({ color: "white", text: one.slice(0, 4_096) }));
    } catch (error) {
      if (!(error instanceof JanetError || error instanceof TooLong)) throw error;
      this.#log("warn", `A renderer failed: ${error instanceof JanetError ? wordsOf(error) : "too slow"}`);
    }
  }

  #entryData(data: unknown): Value {
    return typeof data === "string" ? toBytes(data) : toBytes(JSON.stringify(data));
  }

  #isFunction(name: string): boolean {
    const value = this.#engine.find(name);
    // What only lies in the core by that name is none of the plugin's.
    const own = this.#engine.environment.rawGet(sym(toBytes(name))) !== null;
    return own && (value instanceof Native || isClosure(value));
  }

  #world(): World {
    const { running } = this.#engine;
    const { state, limit } = running ?? outside();
    const { id, workspace, autoStart } = this.#start;
    return {
      call: state,
      registrations: this.registrations,
      environment: this.#engine.environment,
      id,
      workspace,
      autoStart,
      mayConnect: (host, port) => this.#capabilities.network?.(host, port) === true,
      ask: (question) => limit.during(this.#surroundings.ask(question, state.id)),
      code: {
        has: async () => (await this.#surroundings.code({ kind: "code.has" })) === true,
        ask: (question) => this.#surroundings.code({ kind: "code.ask", ...question }),
      },
      log: (level, text) => this.#surroundings.log(level, text, state.id),
      setVariable: (name, value) => this.#binder.setVariable(name, value),
    };
  }

  #log(level: LogLevel, text: string, output?: "stdout" | "stderr"): void {
    this.#surroundings.log(level, text, this.#engine.running?.state.id ?? null, output);
  }
}

/** Of code that goes on although no call is known that it belongs to: what it asks for is lost. */
function outside(): Running {
  const limit = new TimeLimit(CALL_MS);
  limit.end();
  const doing: Doing = "load";
  return { state: new CallState(null, doing), limit };
}

function isClosure(value: Value): value is Closure {
  return typeof value === "object" && value !== null && "prototype" in value;
}

function messageText({ type, content, display }: Extract<PluginEffect, { kind: "customMessage" }>): string {
  return JSON.stringify({ role: "custom", customType: type ?? null, content, display });
}
