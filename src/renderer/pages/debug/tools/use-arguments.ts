import { useMemo, useState } from "react";
import type { ToolRight } from "../../../../contract/permissions/tool-rights.ts";
import {
  type Config,
  schemaModel,
  withDefaults,
  withoutLeftOut,
} from "../../../features/settings-form/public.ts";

export type ArgumentsView = "simple" | "json";

/** The arguments of a call while they are typed, as a form or as text; both say the same. */
export function useArguments({ parameters }: Pick<ToolRight, "parameters">, initial: Config | null) {
  const model = useMemo(() => schemaModel(parameters), [parameters]);
  const [value, setValue] = useState<Config>(() => withDefaults(initial ?? {}, model));
  /** What was typed as text; null: the form's value, laid out. */
  const [typed, setTyped] = useState<string | null>(null);
  /** The text is no JSON object, which no form can show. */
  const [isBroken, setBroken] = useState(false);
  const [wanted, setWanted] = useState<ArgumentsView>("simple");
  const tidy = (config: Config) => withoutLeftOut(model.schema, config) as Config;
  return {
    model,
    value,
    /** What is sent. */
    sent: () => tidy(value),
    text: typed ?? JSON.stringify(tidy(value), null, 2),
    isBroken,
    view: isBroken ? ("json" as const) : wanted,
    setView: setWanted,
    change(next: Config) {
      setValue(next);
      setTyped(null);
    },
    type(text: string, next: Config | null) {
      setTyped(text);
      setBroken(next === null);
      if (next !== null) setValue(next);
    },
  };
}

export type Arguments = ReturnType<typeof useArguments>;
