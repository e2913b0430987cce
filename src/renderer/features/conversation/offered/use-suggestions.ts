import { useEffect, useState } from "react";
import type { SuggestionRequest } from "../../../../contract/conversation/offered.ts";
import { rpc } from "../../../base/client/rpc.ts";

/** How long nothing is typed before the plugin is asked, in milliseconds. */
const PAUSE_MS = 180;

const none: readonly string[] = [];

/**
 * What the plugin suggests for a field; asked when typing pauses, and an older question is dropped.
 *
 * @param asked null: nothing is asked
 */
export function useSuggestions(agentId: string, asked: SuggestionRequest | null): readonly string[] {
  const [values, setValues] = useState(none);
  const question = asked === null ? null : JSON.stringify(asked);
  useEffect(() => {
    if (question === null) {
      setValues(none);
      return;
    }
    const scope = new AbortController();
    const timer = setTimeout(() => {
      const input = { agentId, ...(JSON.parse(question) as SuggestionRequest) };
      rpc.resources.suggest(input, { signal: scope.signal }).then(
        (found) => !scope.signal.aborted && setValues(found),
        () => !scope.signal.aborted && setValues(none),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      scope.abort();
    };
  }, [agentId, question]);
  return values;
}
