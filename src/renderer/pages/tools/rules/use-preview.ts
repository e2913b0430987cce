import { useEffect, useState } from "react";
import type { RuleDraft, VerdictChange } from "../../../../contract/permissions/explanation.ts";
import { rpc } from "../../../base/client/rpc.ts";

export interface Preview {
  changes: VerdictChange[];
  tools: number;
}

/** Milliseconds without a key pressed before it is compared. */
const rest = 200;

/** What a rule in the place of another one changes; null while that is not known, and where it is no rule yet. */
export function usePreview(
  agentId: string,
  rule: RuleDraft | null,
  replaces: RuleDraft | null,
): Preview | null {
  const asked = JSON.stringify({ rule, replaces });
  const [known, setKnown] = useState<{ asked: string; preview: Preview } | null>(null);
  useEffect(() => {
    const { rule, replaces } = JSON.parse(asked) as { rule: RuleDraft | null; replaces: RuleDraft | null };
    if (!rule && !replaces) return;
    const life = new AbortController();
    const timer = setTimeout(() => {
      rpc.policies.preview({ agentId, rule, replaces }, { signal: life.signal }).then(
        (preview) => setKnown({ asked, preview }),
        // Saving says what is wrong; without a comparison there is none to show.
        () => {},
      );
    }, rest);
    return () => {
      clearTimeout(timer);
      life.abort();
    };
  }, [agentId, asked]);
  return known?.asked === asked ? known.preview : null;
}
