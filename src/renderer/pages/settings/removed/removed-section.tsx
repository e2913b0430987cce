import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RemovedThing } from "../../../../contract/removed/removed.ts";
import { removedForDays } from "../../../../contract/removed/removed-for.ts";
import { useMirror } from "../../../store/mirror.ts";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { RemovedRow } from "./removed-row.tsx";

/** What was removed and is kept: each to be restored, or to be deleted for good. */
export function RemovedSection() {
  const { t } = useTranslation();
  const removed = useMirror((state) => state.removed);
  const [said, setSaid] = useState({ text: "" });
  const status = useRef<HTMLParagraphElement>(null);
  const things = [...removed.values()].sort(newestFirst);
  // The row that had the focus is gone: it goes to the sentence that says so.
  useEffect(() => {
    if (said.text !== "") status.current?.focus({ preventScroll: true });
  }, [said]);
  return (
    <div className="space-y-3">
      <p
        ref={status}
        tabIndex={-1}
        role="status"
        className="text-sm font-medium text-ok outline-none empty:hidden"
      >
        {said.text}
      </p>
      {things.length === 0 ? (
        <EmptyState title={t("removed.none")} text={t("removed.noneText", { count: removedForDays })} />
      ) : (
        <ul
          aria-label={t("prefs.section.removed")}
          className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-card"
        >
          {things.map((thing) => (
            <li key={thing.id}>
              <RemovedRow thing={thing} onDone={(text) => setSaid({ text })} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function newestFirst(a: RemovedThing, b: RemovedThing): number {
  return a.at < b.at ? 1 : -1;
}
