import { useMemo, useState } from "react";
import type { AgentPluginState, AgentPluginView } from "../../../contract/agent-plugin.ts";
import { isObject } from "../../../contract/is-object.ts";
import type { PluginView } from "../../../contract/plugin.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { putRow, rowId, saidBy } from "../../store/mirror.ts";
import { type Change, listChanges } from "./changes.ts";
import { clearDraft, keepDraft, keptDraft, type SettingsDraft } from "./drafts.ts";
import {
  type Config,
  type FormModel,
  formModel,
  valueIn,
  withDefaults,
  withValueIn,
} from "./values/form-model.ts";
import { withoutLeftOut } from "./values/plain-schema.ts";

/** Two versions of the same settings, when somebody else saved first. */
export interface Conflict {
  yours: Config;
  current: Config;
  revision: number;
}

export type SaveState = "idle" | "saving" | "saved";

/** The settings of a plugin for an agent while they are being edited, and how they are saved and read back. */
export function useSettingsForm(agentId: string, plugin: PluginView, view: AgentPluginState | null) {
  const key = plugin.manifestKey;
  const id = rowId(agentId, key);
  const model = useMemo(() => formModel(plugin), [plugin]);
  const stored = useMemo(() => storedConfig(plugin, view), [plugin, view]);
  const [draft, setDraft] = useState<SettingsDraft | null>(() => keptDraft(id));
  const [state, setState] = useState<SaveState>("idle");
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);

  // What the plugin refused is in the form again, to be corrected; the row has the settings that work.
  const refused = view?.refusedSettings;
  const current = draft ?? { config: refused?.config ?? stored, secrets: {}, revision: view?.revision ?? 0 };
  const whole = useMemo(() => withDefaults(current.config, model), [current.config, model]);
  const changes = useMemo(() => changesOf(stored, current.config, model), [stored, current.config, model]);
  const tidy = (value: Config) => withoutLeftOut(model.schema, value) as Config;
  const broken = current.text ?? null;
  const dirty =
    refused !== undefined ||
    (draft !== null && (changes.length > 0 || broken !== null || Object.keys(draft.secrets).length > 0));

  const edit = (change: Partial<Pick<SettingsDraft, "config" | "secrets" | "text">>) => {
    const next = { ...current, ...change };
    setState("idle");
    setDraft(next);
    keepDraft(id, next, model);
  };

  const drop = () => {
    clearDraft(id);
    setDraft(null);
    setProblem(null);
    setConflict(null);
  };

  /** The draft is saved, or kept by the row as refused. What was typed meanwhile stays, made on the newest revision. */
  const isOver = (sent: SettingsDraft | null, { revision }: { revision: number }) => {
    const now = keptDraft(id);
    drop();
    if (now === null || now === sent) return;
    setDraft({ ...now, revision });
    keepDraft(id, { ...now, revision }, model);
  };

  const settle = async (ask: () => Promise<AgentPluginView>, config = current.config) => {
    const sent = keptDraft(id);
    setState("saving");
    setProblem(null);
    setConflict(null);
    try {
      const saved = await ask();
      putRow(saved);
      isOver(sent, saved);
      setState("saved");
    } catch (error) {
      const failure = saidBy(plugin.manifestKey, problemOf(error));
      setState("idle");
      if (failure.code === "SETTINGS_REFUSED") {
        const kept = await rpc.agentPlugins.get({ agentId, key }).catch(() => null);
        if (kept) putRow(kept);
        return isOver(sent, kept ?? { revision: Number(failure.details?.revision ?? current.revision) });
      }
      setConflict(failure.code === "STALE_REVISION" ? conflictOf(failure, config, view) : null);
      setProblem(failure);
    }
  };

  /** Back to the settings that are in use: what was typed and what the plugin refused is gone. */
  const goBack = async () => {
    drop();
    if (refused) await settle(() => rpc.agentPlugins.set({ agentId, key, refused: "drop" }));
  };

  /** Starts the plugin once more with the settings that it refused. */
  const retry = () => settle(() => rpc.agentPlugins.set({ agentId, key, refused: "retry" }));

  /** @param shown the form's value with the defaults that it shows, so that what is on the screen is what is saved */
  const save = ({ shown, revision = current.revision }: { shown?: Config; revision?: number } = {}) => {
    const config = shown ? withValueIn(current.config, model.prefix, tidy(shown)) : current.config;
    const secrets = Object.keys(current.secrets).length > 0 && { secrets: current.secrets };
    return settle(() => rpc.agentPlugins.set({ agentId, key, config, ...secrets, revision }), config);
  };

  return {
    model,
    value: valueIn(current.config, model.prefix),
    /** The settings with the defaults that the form shows. */
    config: whole,
    written: current.config,
    changes,
    /** Text of the JSON view that is not valid; nothing can be saved until it is. */
    broken,
    secrets: current.secrets,
    dirty,
    state,
    problem,
    conflict,
    /** Why the plugin did not start with what the form shows, until that is changed. */
    refused: refused ? saidBy(key, refused.problem) : null,
    edited: draft !== null,
    goBack,
    retry,
    setValue: (value: Config) => edit({ config: withValueIn(current.config, model.prefix, tidy(value)) }),
    setConfig: (config: Config) => edit({ config, text: null }),
    setBroken: (text: string) => edit({ text }),
    setSecrets: (secrets: Record<string, string>) => edit({ secrets }),
    save,
    drop,
  };
}

export type SettingsForm = ReturnType<typeof useSettingsForm>;

function storedConfig(plugin: PluginView, view: AgentPluginState | null): Config {
  if (view && Object.keys(view.config).length > 0) return view.config;
  return plugin.declaration.defaultConfig ?? {};
}

function conflictOf(problem: ShownProblem, yours: Config, view: AgentPluginState | null): Conflict {
  const theirs = problem.details?.current;
  const current = isObject(theirs) ? theirs : {};
  return {
    yours,
    current: isObject(current.config) ? current.config : (view?.config ?? {}),
    revision: typeof current.revision === "number" ? current.revision : (view?.revision ?? 0),
  };
}

/** The changes to list. Defaults that saving adds are left out, unless they are the only difference. */
function changesOf(stored: Config, current: Config, model: FormModel): Change[] {
  if (stored === current) return [];
  const shown = withDefaults(stored, model);
  if (listChanges(shown, current).length === 0) return [];
  const seen = listChanges(shown, withDefaults(current, model));
  return seen.length > 0 ? seen : listChanges(stored, current);
}
