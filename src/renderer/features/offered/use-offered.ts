import { useEffect, useState } from "react";
import type { PluginView } from "../../../contract/plugin.ts";
import type { Offered } from "../../../contract/tools/check.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";

/** What a plugin was heard to offer; null until it is known, and where nothing was heard. Asked again when that changes. */
export function useOffered({ manifestKey: key, check, toLookAt }: PluginView) {
  const [offered, setOffered] = useState<Offered | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const heard = check?.state === "done" ? JSON.stringify([check, toLookAt]) : null;
  useEffect(() => {
    setProblem(null);
    if (heard === null) return setOffered(null);
    let isGone = false;
    rpc.plugins.offered({ key }).then(
      (found) => {
        if (!isGone) setOffered(found);
      },
      (error) => {
        if (!isGone) setProblem(problemOf(error));
      },
    );
    return () => {
      isGone = true;
    };
  }, [key, heard]);
  return { offered, problem };
}
