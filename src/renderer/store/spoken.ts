import type { AppChange, Item } from "../../contract/collections.ts";
import type { PluginView, PluginWords } from "../../contract/plugin.ts";
import {
  consentInWords,
  dialogInWords,
  pluginInWords,
  rowInWords,
  setupInWords,
} from "../../contract/shown/in-words.ts";
import { asItIs, type Say } from "../../contract/shown/plugin-words.ts";
import { sayOf } from "../base/i18n/plugin-words.ts";

/** The collections in which plugins speak, with how each is put into words. */
const tellers = {
  plugins: pluginInWords,
  agentPlugins: rowInWords,
  setups: setupInWords,
  dialogs: dialogInWords,
  jobs: (job: Item<"jobs">, say: Say): Item<"jobs"> => ({
    ...job,
    consent: job.consent && consentInWords(job.consent, say),
  }),
} satisfies { [N in SpokenName]: (item: Item<N>, say: Say) => Item<N> };
type SpokenName = "plugins" | "agentPlugins" | "setups" | "dialogs" | "jobs";
export type SpokenMaps = { [N in SpokenName]: ReadonlyMap<string, Item<N>> };
type SpokenItem = Item<SpokenName>;
type WordsOf = (pluginKey: string) => PluginWords | undefined;

/** What the core sent, for what is shown of it: another language begins with that. */
const originals = new WeakMap<SpokenItem, SpokenItem>();

/** Everything that plugins say in these collections, in the language of the screens. */
export function allSpoken(state: SpokenMaps): SpokenMaps {
  const wordsOf: WordsOf = (key) => state.plugins.get(key)?.declaration.words;
  const told = Object.keys(tellers).map((name) => {
    const items = state[name as SpokenName] as ReadonlyMap<string, SpokenItem>;
    const said = Array.from(items, ([id, item]) => [id, spoken(name as SpokenName, item, wordsOf)] as const);
    return [name, new Map(said)];
  });
  return Object.fromEntries(told) as SpokenMaps;
}

/** A batch of changes with what plugins say in the language of the screens. */
export function changesSpoken(state: SpokenMaps, changes: readonly AppChange[]): readonly AppChange[] {
  if (sayOf(undefined) === asItIs) return changes;
  const put = new Map<string, PluginView>();
  for (const change of changes)
    if (change.type === "put" && change.collection === "plugins")
      put.set(change.item.manifestKey, change.item);
  const wordsOf: WordsOf = (key) => (put.get(key) ?? state.plugins.get(key))?.declaration.words;
  const said = changes.map((change) => {
    if (change.type !== "put" || !Object.hasOwn(tellers, change.collection)) return change;
    const item = spoken(change.collection as SpokenName, change.item as SpokenItem, wordsOf);
    return { ...change, item } as AppChange;
  });
  // Rows that are not in the batch are said anew where their plugin came or has other words now.
  const again = [...state.agentPlugins.values()].filter(({ pluginKey }) => {
    const plugin = put.get(pluginKey);
    return plugin && plugin.declaration.words !== state.plugins.get(pluginKey)?.declaration.words;
  });
  const rows = again.map((row) => ({
    type: "put" as const,
    collection: "agentPlugins" as const,
    item: spoken("agentPlugins", row, wordsOf) as Item<"agentPlugins">,
  }));
  return [...rows, ...said];
}

function spoken(name: SpokenName, shown: SpokenItem, wordsOf: WordsOf): SpokenItem {
  const original = originals.get(shown) ?? shown;
  const say = sayOf(wordsFor(original, wordsOf));
  if (say === asItIs) return original;
  const tell = tellers[name] as (item: SpokenItem, say: Say) => SpokenItem;
  const said = tell(original, say);
  originals.set(said, original);
  return said;
}

/** A plugin has its words, a job those of what it asks about, anything else those of its plugin. */
function wordsFor(item: SpokenItem, wordsOf: WordsOf): PluginWords | undefined {
  if ("declaration" in item) return item.declaration.words;
  if ("consent" in item) return "phases" in item ? item.consent?.words : undefined;
  return wordsOf(item.pluginKey);
}
