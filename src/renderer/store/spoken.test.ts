import { beforeEach, expect, test } from "vitest";
import type { AgentPluginState } from "../../contract/agent-plugin.ts";
import type { Snapshot } from "../../contract/app.ts";
import type { PluginView } from "../../contract/plugin.ts";
import type { SetupView } from "../../contract/setup.ts";
import { i18n, startI18n } from "../base/i18n/index.ts";
import { applyChanges, saidBy, sayAnew, showSnapshot, useMirror } from "./mirror.ts";

const words = {
  de: { Town: "Stadt", "Which town?": "Welche Stadt?", "{town} is closed.": "{town} ist geschlossen." },
};
const plugin = {
  manifestKey: "weather",
  displayName: "Town",
  description: "Which town?",
  declaration: {
    configSchema: {
      type: "object",
      properties: { town: { type: "string", title: "Town", default: "Town" } },
    },
    secretKeys: [{ key: "token", label: "Town", path: ["token"] }],
    words,
  },
} as unknown as PluginView;
const row = {
  agentId: "a",
  pluginKey: "weather",
  lastError: { code: "PLUGIN_REPORTED", message: "Rome is closed." },
  runtimeState: { town: "Town", open: false },
  instance: { reason: null, contributions: null },
} as unknown as AgentPluginState;
const wizard = {
  agentId: "a",
  pluginKey: "weather",
  step: { kind: "form", id: "1", title: "Town", fields: [{ key: "town", label: "Town", type: "text" }] },
  trail: [],
} as unknown as SetupView;

const snapshot = {
  plugins: [plugin],
  agentPlugins: [row],
  setups: [wizard],
  agents: [],
  jobs: [],
  approvals: [],
  dialogs: [],
  notices: [],
  sessions: [],
  removed: [],
} as unknown as Snapshot;

const shown = () => {
  const { plugins, agentPlugins, setups } = useMirror.getState();
  const { description, displayName } = plugins.get("weather") as PluginView;
  const step = setups.get("a/weather")?.step;
  return {
    description,
    displayName,
    error: agentPlugins.get("a/weather")?.lastError?.message,
    field: step?.kind === "form" ? step.fields[0]?.label : null,
  };
};
const english = { description: "Which town?", displayName: "Town", error: "Rome is closed.", field: "Town" };
const german = {
  description: "Welche Stadt?",
  displayName: "Town",
  error: "Rome ist geschlossen.",
  field: "Stadt",
};

beforeEach(async () => {
  await startI18n("en");
  showSnapshot(snapshot);
});

test("what plugins say follows the language of the screens, and their names do not", async () => {
  expect(shown()).toEqual(english);
  await i18n.changeLanguage("de").then(sayAnew);
  expect(shown()).toEqual(german);
  await i18n.changeLanguage("en").then(sayAnew);
  expect(shown()).toEqual(english);
});

test("titles of settings are said, and what is stored stays", async () => {
  await i18n.changeLanguage("de").then(sayAnew);
  const declaration = useMirror.getState().plugins.get("weather")?.declaration;
  expect(declaration?.configSchema).toMatchObject({
    properties: { town: { type: "string", title: "Stadt", default: "Town" } },
  });
  expect(declaration?.secretKeys).toEqual([{ key: "token", label: "Stadt", path: ["token"] }]);
});

test("what comes later is said, also when the row comes before its plugin", async () => {
  await i18n.changeLanguage("de");
  useMirror.setState({ plugins: new Map(), agentPlugins: new Map() });
  applyChanges([{ type: "put", collection: "agentPlugins", item: row }]);
  expect(useMirror.getState().agentPlugins.get("a/weather")?.lastError?.message).toBe("Rome is closed.");
  applyChanges([{ type: "put", collection: "plugins", item: plugin }]);
  applyChanges([{ type: "put", collection: "setups", item: wizard }]);
  expect(shown()).toEqual(german);
});

test("the sentences of the toolkit are said for every channel, with words of its own or without", async () => {
  await i18n.changeLanguage("de");
  const problem = {
    code: "PLUGIN_REPORTED" as const,
    message: "Chat cannot be reached: there is no network (X)",
  };
  expect(saidBy("weather", problem).message).toBe(
    "Chat ist nicht erreichbar: es gibt keine Netzwerkverbindung (X)",
  );
  expect(saidBy("unknown", problem).message).toContain("nicht erreichbar");
});
