import { useEffect, useState } from "react";
import type { CatalogEntry } from "../../../contract/job.ts";
import { rpc } from "../../base/client/rpc.ts";

/** Milliseconds for which an entry is looked at before its icon is asked for: what only scrolls by is not. */
const LOOK_MS = 200;

const known = new Map<string, Promise<string | null>>();

/** The icon of something that can be installed. One that lies elsewhere is asked for by the core once the entry is looked at. */
export function useEntryIcon({ icon, hasIcon, packageName, spec }: CatalogEntry): string | undefined {
  const [found, setFound] = useState<{ spec: string; icon: string | null } | null>(null);
  useEffect(() => {
    if (icon !== undefined || !hasIcon) return;
    let isLeft = false;
    const look = setTimeout(() => {
      void iconOf(spec, packageName).then((answer) => {
        if (!isLeft) setFound({ spec, icon: answer });
      });
    }, LOOK_MS);
    return () => {
      isLeft = true;
      clearTimeout(look);
    };
  }, [icon, hasIcon, packageName, spec]);
  return icon ?? (found?.spec === spec ? (found.icon ?? undefined) : undefined);
}

/** Asked once; again where there was no answer. */
function iconOf(spec: string, packageName: string): Promise<string | null> {
  const before = known.get(spec);
  if (before) return before;
  const asked = rpc.catalog.icon({ packageName }).then(
    (answer) => answer.icon,
    () => {
      known.delete(spec);
      return null;
    },
  );
  known.set(spec, asked);
  return asked;
}
