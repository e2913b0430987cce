import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { PatchbayError } from "../../../src/contract/index.ts";
import { readJson } from "../../../src/main/runtimes/flowly/manifest/python/json.ts";
import { pyRepr, pyStr } from "../../../src/main/runtimes/flowly/manifest/python/text.ts";
import { readManifest } from "../../../src/main/runtimes/flowly/manifest/read-manifest.ts";
import type { TruthAgent } from "./agent.ts";
import { message } from "./messages.ts";
import type { HookAnswer, PluginHost } from "./plugin-host.ts";
import type { Outcome, Step } from "./record.ts";
import { activeProvider, askWeb } from "./web.ts";

/** What the steps of one run share. */
export interface World {
  agent: TruthAgent;
  /** Whether a guard failed in the last call. */
  guardFailed: boolean;
}

type Run = (step: Step, world: World) => Promise<Outcome>;

/** Takes one step and says what came of it, in the form of the record. */
export async function take(step: Step, world: World): Promise<Outcome> {
  const run = steps[step.op];
  if (!run) throw new Error(`The driver does not know the step ${step.op}.`);
  const { agent } = world;
  await agent.refresh();
  agent.printed();
  world.guardFailed = false;
  const outcome = await run(step, world).catch((error: unknown): Outcome => {
    if (error instanceof PatchbayError && error.code === "HOST_CRASHED")
      return { result: error.message, crashed: true };
    throw error;
  });
  const out = agent.printed();
  return agent.masked({ ...outcome, ...(out !== "" && { out }) });
}

const steps: Record<string, Run> = {
  call: (step, world) => call(step, world),
  shown: async (step, world) => {
    const { result } = await call(step, world);
    return { raw_len: Array.from(String(result)).length };
  },
  adapter: async ({ tool, params, paramsPy }, { agent }) => {
    const host = agent.owner("tools", String(tool));
    if (!host) return { result: null };
    const { text } = await host.ask<{ text: string }>("execute", { tool, ...given(params, paramsPy) });
    return { result: text };
  },
  available: async (_, { agent }) => ({ result: (await everyHost<string>(agent, "available")).sort() }),
  defs: async (_, { agent }) => ({ result: await everyHost(agent, "defs") }),
  fire: async ({ event, ctx }, { agent }) => {
    const answers = [];
    for (const host of agent.listeners(String(event)))
      answers.push(await host.ask<Fired>("fire", { event, ctx }));
    const returned = answers.flatMap((answer) => answer.returned);
    if (!WITH_RULE.has(String(event)))
      return { returned, result: KNOWN.has(String(event)) ? null : returned };
    if (event === "pre_llm_call")
      return { returned, result: answers.flatMap(({ decision }) => decision?.texts ?? []) };
    return { returned, result: answers.find(({ decision }) => decision !== null)?.winner ?? null };
  },
  msg: message,
  inject,
  slash: async ({ name, args }, { agent }) => {
    const wanted = String(name).replace(/^\/+/, "").toLowerCase();
    const host = agent.owner("commands", wanted);
    if (!host || agent.stateOf(host).commands[wanted]?.handled === false) return { found: false };
    return { found: true, ...(await host.ask<Outcome>("slash", { name: wanted, args: args ?? "" })) };
  },
  // What is registered; a command without a handler is not offered by the app, because it answers nothing.
  catalogue: async (_, { agent }) => {
    const commands = Object.entries(agent.state().commands ?? {}).sort(([one], [other]) =>
      one < other ? -1 : 1,
    );
    return {
      result: commands.map(([name, { description }]) => ({ name, description: pyText(description) })),
    };
  },
  skills: async (_, { agent }) => ({ result: agent.state().skills }),
  find_skill: async ({ name }, { agent }) => {
    const host = agent.owner("skills", String(name));
    return { result: host ? agent.stateOf(host).skills[String(name)]?.path : null };
  },
  skill_load: async ({ name }, { agent }) => {
    const offered = agent.hosts
      .flatMap((host) => host.offers.skills)
      .findLast((skill) => skill.name === name);
    return offered ? loaded(offered.path) : { result: null };
  },
  skill_view: async ({ name, file_path }, { agent }) => {
    const host = agent.owner("skills", String(name)) ?? agent.hosts[0];
    if (!host) return { result: { error: `Skill '${name}' not found.` } };
    return { result: await host.skill(String(name), file_path as string | undefined) };
  },
  web_setup: async (_, { agent }) => ({ result: await everyHost(agent, "web_setup") }),
  web_active: async ({ capability }, { agent }) => ({
    result: (await activeProvider(agent, String(capability)))?.name ?? null,
  }),
  web_search: ({ params }, { agent }) => askWeb(agent, "search", params),
  web_extract: ({ params }, { agent }) => askWeb(agent, "extract", params),
  reload: async ({ force, enabled, disabled }, { agent }) => {
    if (force !== false)
      await agent.discover({
        enabled: new Set(enabled as string[] | undefined),
        disabled: new Set(disabled as string[] | undefined),
      });
    await agent.refresh();
    return { state: agent.state() };
  },
  clock: async (step, { agent }) => {
    for (const host of agent.hosts) await host.ask("clock", step);
    return {};
  },
  setenv: async (step, { agent }) => {
    for (const host of agent.hosts) await host.ask("setenv", step);
    return {};
  },
  write: async ({ path, text }, { agent }) => {
    const file = join(agent.tree.root, String(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, String(text));
    return {};
  },
  delete: async ({ path }, { agent }) => {
    rmSync(join(agent.tree.root, String(path)), { recursive: true });
    return {};
  },
  exists: async ({ path }, { agent }) => ({ result: existsSync(join(agent.tree.root, String(path))) }),
  state: async (_, { agent }) => ({ state: agent.state() }),
  catalog_snapshot: async (_, { agent }) => {
    const tools = Object.entries(agent.state().tools ?? {});
    const sources = tools.flatMap(([name, { source }]) => (source === null ? [] : [[name, source] as const]));
    return {
      result: {
        sources: Object.fromEntries(sources),
        toolsets: Object.fromEntries(
          tools.map(([name, tool]) => [name, tool.builtin ? (TOOLSETS[name] ?? "extensions") : tool.toolset]),
        ),
      },
    };
  },
  parse: async ({ path, prefix }, { agent }) => {
    const dir = join(agent.tree.root, String(path));
    const read = await readManifest(dir, { category: String(prefix) });
    if (read.kind !== "manifest") return { result: null };
    const { name, kind } = read.manifest;
    return { result: { key: `${prefix}/${basename(dir)}`, kind, name, source: "user" } };
  },
  load_prefixed: async ({ path, prefix }, { agent }) => {
    await agent.add(join(agent.tree.root, String(path)), String(prefix));
    await agent.refresh();
    return { state: agent.state() };
  },
};

/** Events of which Flowly takes a winner among what the callbacks returned. */
const WITH_RULE = new Set([
  "pre_tool_call",
  "transform_tool_result",
  "transform_terminal_output",
  "pre_llm_call",
  "pre_gateway_dispatch",
]);
/** Other events of Flowly: what is returned means nothing. For names that Flowly does not know there is only the list. */
const KNOWN = new Set([
  "post_tool_call",
  "post_llm_call",
  "pre_api_request",
  "post_api_request",
  "on_session_start",
  "on_session_end",
  "on_session_finalize",
  "on_session_reset",
  "subagent_stop",
]);

interface Fired {
  returned: unknown[];
  decision: { texts?: string[] } | null;
  winner: unknown;
}

/** Of the tools that the agent has by itself. */
const TOOLSETS: Readonly<Record<string, string>> = {
  exec: "execution",
  read_file: "filesystem",
  write_file: "filesystem",
  edit_file: "filesystem",
  list_dir: "filesystem",
};

function given(params: unknown, paramsPy: unknown): Record<string, unknown> {
  return paramsPy === undefined ? { params } : { paramsPy };
}

async function everyHost<T>(agent: TruthAgent, op: string): Promise<T[]> {
  const all: T[] = [];
  for (const host of agent.hosts) all.push(...(await host.ask<T[]>(op)));
  return all;
}

/** One call of a tool with the hooks of all plugins around it. */
async function call(step: Step, world: World): Promise<Outcome> {
  const { agent } = world;
  const tool = String(step.tool);
  const host = agent.owner("tools", tool);
  const builtin = !host && agent.given.builtinTools?.includes(tool);
  if (!host && !builtin) return { result: `Error: Tool '${tool}' not found` };
  const events = ["pre_tool_call", "post_tool_call", "transform_tool_result"];
  const hooked = events.some((event) => agent.listeners(event).length > 0);
  const platform = step.platform as string | undefined;
  if (host && !hooked && step.paramsPy === undefined)
    return { result: await host.tool(tool, step.params as Record<string, unknown>, platform) };
  count += 1;
  const id = `call-${count}`;
  const asked = { tool, platform, call: id, ...given(step.params, step.paramsPy) };
  const ready: Ready = host
    ? await host.ask<Ready>("prepare", asked)
    : { params: step.params as Record<string, unknown>, wrapped: false };
  if (ready.refused !== undefined) return { result: ready.refused };
  const context = { session_id: String(step.session ?? ""), tool_name: tool };
  const before = structuredClone(ready.params);
  let { params, shown } = ready;
  let blocked: string | undefined;
  const about = { sessionId: context.session_id, toolName: tool, toolCallId: id };
  for (const one of agent.listeners("pre_tool_call")) {
    // Arguments that JSON cannot say stay where the tool is.
    if (one === host && step.paramsPy !== undefined) {
      const kept = await one.ask<Before>("before", { ctx: context, call: id });
      params = kept.ctx.params ?? params;
      shown = kept.shown;
      if (kept.failures.length > 0) world.guardFailed = true;
      if (kept.decision?.kind === "block") blocked ??= kept.decision.message;
      continue;
    }
    const { answer, failed } = await one.event("tool.before@v1", { ...about, args: params, caller: null });
    params = answer?.payload?.args ?? params;
    if (failed) world.guardFailed = true;
    if (answer?.allow === false) blocked ??= answer.reason;
  }
  const isChanged = !ready.wrapped && !isDeepStrictEqual(params, before);
  const changed = step.paramsPy === undefined ? pyRepr(readJson(JSON.stringify(params))) : shown;
  const after = isChanged ? { params_after: changed } : {};
  if (blocked !== undefined) return { result: `[blocked: ${blocked}]`, ...after };
  if (world.guardFailed && agent.guards === "block") return { result: "[blocked: a guard failed]" };
  const result = host ? await executed(host, step, { params, id }) : `builtin ${tool} ${pyItems(params)}`;
  const replaced = await afterwards(agent, { about, params, result });
  return { result: replaced ?? result, ...after };
}

/** What the tool answers after the hooks before it. */
async function executed(
  host: PluginHost,
  { tool, paramsPy, platform }: Step,
  { params, id }: { params: Record<string, unknown>; id: string },
): Promise<string> {
  if (paramsPy === undefined) return host.tool(String(tool), params, platform as string | undefined, id);
  return (await host.ask<{ text: string }>("execute", { tool, kept: id })).text;
}

/** The hooks behind a call: those of all plugins are told before the first may put another result in its place. */
async function afterwards(
  agent: TruthAgent,
  { about, params, result }: { about: About; params: Record<string, unknown>; result: string },
): Promise<string | undefined> {
  const [told, changing] = [agent.listeners("post_tool_call"), agent.listeners("transform_tool_result")];
  const listeners = [...new Set([...told, ...changing])];
  const isError = result.startsWith("Error");
  const [first] = listeners;
  if (first && listeners.length === 1) {
    const content = [{ type: "text" as const, text: result }];
    const payload = { ...about, args: params, content, isError, durationMs: 1 };
    const { answer } = await first.event("tool.result@v1", payload);
    return answer?.content?.[0]?.text;
  }
  const { sessionId, toolName, toolCallId } = about;
  const names = { session_id: sessionId, tool_name: toolName, params };
  const ended = { ...names, result, duration_ms: 1, success: !isError };
  for (const one of told) await one.hook("post_tool_call", ended, toolCallId);
  let replaced: string | undefined;
  for (const one of changing) {
    const { decision } = await one.hook("transform_tool_result", ended, toolCallId);
    if (decision?.kind === "replace") replaced ??= decision.text;
  }
  return replaced;
}

interface About {
  sessionId: string;
  toolName: string;
  toolCallId: string;
}

/** A call before its hooks; or why it is refused. `shown`: the arguments as Python shows them. */
interface Ready {
  refused?: string;
  params: Record<string, unknown>;
  wrapped: boolean;
  shown?: string;
}

type Before = Pick<HookAnswer, "decision" | "failures" | "ctx"> & { shown?: string };

/** Python's `str` of a JSON value. */
const pyText = (value: unknown): string => pyStr(readJson(JSON.stringify(value)));

let count = 0;

/** `sorted(params.items())` in Python's words. */
function pyItems(params: Record<string, unknown>): string {
  const items = Object.entries(params).sort(([one], [other]) => (one < other ? -1 : 1));
  return `[${items.map(([name, value]) => `('${name}', ${pyRepr(readJson(JSON.stringify(value)))})`).join(", ")}]`;
}

interface Spoken {
  role: string;
  content: unknown;
}

/** What the plugins put before the person's last message, `times` in one turn: once in ours. */
async function inject(step: Step, { agent }: World): Promise<Outcome> {
  let messages = structuredClone(step.messages) as Spoken[];
  let block = "";
  for (let time = 0; time < Number(step.times ?? 1); time += 1) {
    const last = messages.findLast(({ role }) => role === "user");
    if (last && typeof last.content === "string" && block !== "")
      last.content = last.content.slice(block.length);
    const texts: string[] = [];
    for (const host of agent.listeners("pre_llm_call")) {
      const spoken = messages.findLast(({ role }) => role === "user")?.content;
      const { decision, ctx } = await host.hook("pre_llm_call", {
        session_id: step.session ?? "",
        model: "m1",
        messages,
        tools: step.tools ?? [],
        system: messages.find(({ role }) => role === "system")?.content ?? "",
        user_message: typeof spoken === "string" ? spoken : "",
      });
      messages = (ctx.messages as Spoken[] | undefined) ?? messages;
      texts.push(...(decision?.texts ?? []).filter((text) => text !== ""));
    }
    block = texts.length === 0 ? "" : `<plugin_context>\n${texts.join("\n\n")}\n</plugin_context>\n\n`;
    const target = messages.findLast(({ role }) => role === "user");
    if (target && typeof (target.content ?? "") === "string") target.content = block + (target.content ?? "");
    else block = "";
  }
  return { result: messages };
}

/** The file of a skill, with the words of Python when it cannot be read. */
function loaded(path: string): Outcome {
  try {
    return { result: readFileSync(path, "utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EISDIR") return { raised: `IsADirectoryError: [Errno 21] Is a directory: '${path}'` };
    if (code === "ENOENT")
      return { raised: `FileNotFoundError: [Errno 2] No such file or directory: '${path}'` };
    throw error;
  }
}
