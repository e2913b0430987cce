import { type Insight, insightSchema } from "../../../contract/index.ts";

/** What passes through a plugin that has a callback for one of Flowly's events; events that are not here pass nothing on. */
const seenAt: Readonly<Record<string, Insight>> = {
  pre_llm_call: "prompts",
  post_llm_call: "prompts",
  transform_tool_result: "results",
  pre_tool_call: "calls",
  post_tool_call: "calls",
  pre_gateway_dispatch: "messages",
};

/** Names of tools that Flowly itself has, for reading and changing files, running programs and reaching the web. */
const builtins: ReadonlySet<string> = new Set([
  "read_file",
  "write_file",
  "edit_file",
  "delete_file",
  "exec",
  "bash",
  "shell",
  "web_fetch",
  "web_search",
]);

/**
 * What of an agent's work goes through a plugin, the weightiest first: from what its manifest and its source name, or
 * from what its code has really registered.
 * @param named Flowly's names of its hooks, and the bare names of its tools
 */
export function insightsOf(named: { hooks: Iterable<string>; tools: Iterable<string> }): Insight[] {
  const found = new Set<Insight>();
  for (const hook of named.hooks) if (Object.hasOwn(seenAt, hook)) found.add(seenAt[hook] as Insight);
  for (const tool of named.tools) if (builtins.has(tool)) found.add("builtins");
  return insightSchema.options.filter((one) => found.has(one));
}
