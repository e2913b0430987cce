import { useEffect, useMemo, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import {
  type IdleProvider,
  type OfferedProvider,
  providerPlan,
} from "../../../contract/offers/provider-plan.ts";
import type { ProviderInfo } from "../../../contract/offers/screen-offers.ts";
import { rpc } from "../../base/client/rpc.ts";
import { type Mirror, useMirror } from "../../store/mirror.ts";

/** The providers that running plugins of the agent offer, and those that cannot be chosen. */
export function useProviders(agentId: string | undefined): {
  offered: OfferedProvider[];
  idle: IdleProvider[];
} {
  // Each list of the mirror stays the same while nothing of it changes; the keys stand beside them.
  const lists = useMirror(useShallow((state) => offersOf(state, agentId)));
  return useMemo(() => {
    const plugins: { plugin: string; providers: readonly ProviderInfo[] }[] = [];
    for (const part of lists) {
      const last = plugins.at(-1);
      if (typeof part === "string") plugins.push({ plugin: part, providers: [] });
      else if (last) last.providers = part;
    }
    return providerPlan(plugins);
  }, [lists]);
}

function offersOf({ agentPlugins }: Mirror, agentId: string | undefined): (string | ProviderInfo[])[] {
  const offers: [string, ProviderInfo[]][] = [];
  for (const { agentId: of, pluginKey, instance } of agentPlugins.values()) {
    const providers = instance.contributions?.providers;
    if (of === agentId && providers && providers.length > 0) offers.push([pluginKey, providers]);
  }
  return offers.sort(([left], [right]) => (left < right ? -1 : 1)).flat();
}

/** Names of the stored secrets; null while they are not known. */
export function useSecretNames(wanted: boolean): ReadonlySet<string> | null {
  const [names, setNames] = useState<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (!wanted) return;
    const scope = new AbortController();
    rpc.secrets.list(undefined, { signal: scope.signal }).then(
      (secrets) => setNames(new Set(secrets.map(({ name }) => name))),
      // Not known: a key that may be there is never sent without a word.
      () => {},
    );
    return () => scope.abort();
  }, [wanted]);
  return names;
}
