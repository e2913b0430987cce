import { asksOf, PatchbayError } from "../../src/contract/index.ts";
import { type CallResult, type CallResults, callUnsupported } from "../../src/main/runtimes/plugin-call.ts";
import type { InstanceContributions, PluginRuntime } from "../../src/main/runtimes/runtime.ts";

const tool = (name: string) => ({
  name,
  title: name,
  description: `Pulls at ${name}.`,
  parameters: { type: "object", properties: {} },
  readOnly: true,
  owner: "desk",
});
const offer = (...names: string[]): InstanceContributions => {
  const nothing = { toolsets: [], hooks: [], commands: [], skills: [], prompts: [], channel: null };
  return { ...nothing, tools: names.map(tool) };
};

/**
 * A plugin system that exists only in tests: its plugins are addresses `desk:NAME` without files, and get more tools
 * while they run.
 */
export const fifthRuntime: PluginRuntime = {
  id: "desk",
  displayName: "Desk services",
  enforcement: "Runs where it is; Patchbay holds it to nothing.",
  endpointOf: (spec) => (spec.startsWith("desk:") ? spec : null),
  recognise: async (artifact) => artifact.kind === "endpoint" && artifact.url.startsWith("desk:"),
  inspect: async () => ({
    runtime: "desk",
    manifestKey: "desk",
    packageName: "desk",
    packageVersion: "1.0.0",
    displayName: "Desk",
    description: "Has drawers.",
    capabilities: { tools: { namespace: "desk" } },
    declaration: {
      configSchema: null,
      defaultConfig: null,
      secretKeys: [],
      requiredHooks: [],
    },
    consent: { ...asksOf({ files: "none" }), hosts: ["desk.example"], grants: ["drawers"] },
    warnings: [],
  }),
  async start({ plugin, services }) {
    const { promise: exited, resolve } = Promise.withResolvers<{ code: number; signal: null }>();
    let contributions = offer("desk__open__drawer");
    return {
      pid: null,
      get contributions() {
        return contributions;
      },
      async call(call) {
        if (call.kind !== "tool") throw callUnsupported(plugin.displayName, call.kind);
        if (!contributions.tools.some(({ name }) => name === call.name))
          throw new PatchbayError("TOOL_NOT_FOUND", "There is no such drawer.");
        contributions = {
          ...offer("desk__open__drawer", "desk__a__b__c"),
          notes: ["It offers a.b.c, which it did not declare."],
        };
        services.contributionsChanged(contributions);
        const output: CallResults["tool"] = { content: [{ type: "text", text: `pulled ${call.name}` }] };
        return output as CallResult<typeof call>;
      },
      ping: async () => ({ memoryBytes: 0 }),
      stop: async () => resolve({ code: 0, signal: null }),
      exited,
    };
  },
};
