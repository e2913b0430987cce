import { FileWarning, MessageSquareText, RotateCcw, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RemovedThing } from "../../../../contract/removed/removed.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { formatAgo, formatBytes, formatMoment, useNow } from "../../../base/i18n/time.ts";
import { followJob } from "../../../features/plugins/follow-job.ts";
import { useAction } from "../../../ui/action.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Button } from "../../../ui/controls/button.tsx";
import { Face } from "../../../ui/face.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { useBlocked, useGoes, useKept, useNameOf } from "./removed-words.ts";
import { ShowFile } from "./show-file.tsx";

const restore = (id: string) => rpc.removed.restore({ id });

interface RowProps {
  thing: RemovedThing;
  /** Says what was done; the row is about to go. */
  onDone(text: string): void;
}

/** One removed thing: what it is, what is kept of it, and the two ways that are left. */
export function RemovedRow({ thing, onDone }: RowProps) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const heading = useId();
  const [asking, setAsking] = useState(false);
  const restoring = useAction(restore);
  const name = useNameOf(thing);
  const kept = useKept(thing);
  const goes = useGoes(thing);
  const blocked = useBlocked(thing);
  const { id, kind, at, until, bytes, version } = thing;

  const bringBack = async () => {
    const answer = await restoring.act(id);
    if (answer?.job) followJob(answer.job);
    else if (answer) onDone(t("removed.back", { name }));
  };
  const facts = [
    t(kind === "file" ? "removed.asideAt" : "removed.at", { ago: formatAgo(at, now) }),
    ...(bytes === null ? [] : [formatBytes(bytes)]),
    ...(until === null ? [] : [t("removed.until", { date: formatMoment(until) })]),
  ];

  return (
    <article aria-labelledby={heading} className="px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-3.5 gap-y-2.5">
        <Picture thing={thing} name={name} />
        <div className="min-w-56 flex-1">
          <h3 id={heading} className="flex min-w-0 items-center gap-2">
            <span className="truncate text-sm font-semibold" title={name}>
              {name}
            </span>
            {version !== null && <span className="figure shrink-0 text-xs text-mute">{version}</span>}
            <Badge>{t(`removed.kind.${kind}`)}</Badge>
          </h3>
          <p className="mt-0.5 text-xs text-mute" title={formatMoment(at)}>
            {facts.join(" · ")}
          </p>
          {kept && <p className="mt-1 text-sm text-pretty">{kept}</p>}
          {blocked && <p className="mt-1 text-sm text-pretty text-mute">{blocked}</p>}
        </div>
        <div className="flex flex-wrap justify-end gap-2">
          {thing.readable && <ShowFile thing={thing} />}
          {kind !== "file" && (
            <Button
              size="sm"
              busy={restoring.busy}
              disabled={blocked !== null}
              aria-label={t("removed.restoreName", { name })}
              icon={<RotateCcw className="size-3.5" aria-hidden="true" />}
              onClick={() => void bringBack()}
            >
              {t("removed.restore")}
            </Button>
          )}
          <Button
            size="sm"
            look="danger"
            disabled={restoring.busy}
            aria-label={t("removed.deleteName", { name })}
            icon={<Trash2 className="size-3.5" aria-hidden="true" />}
            onClick={() => setAsking(true)}
          >
            {t("removed.delete")}
          </Button>
        </div>
      </div>
      {restoring.problem && <ProblemNote className="mt-3" problem={restoring.problem} />}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t("removed.deleteTitle", { name })}
        consequences={[...goes, t("removed.noCopy")]}
        verb={t("removed.delete")}
        danger
        run={async () => {
          await rpc.removed.delete({ id });
          onDone(t("removed.deleted", { name }));
        }}
      />
    </article>
  );
}

function Picture({ thing, name }: { thing: RemovedThing; name: string }) {
  const { kind, key, agentId, icon, ours } = thing;
  switch (kind) {
    case "plugin":
      return <Face seed={key ?? name} name={name} icon={icon ?? undefined} ours={ours} />;
    case "agent":
      return <Face seed={agentId ?? name} name={name} letters />;
    case "session":
    case "file": {
      const Icon = kind === "session" ? MessageSquareText : FileWarning;
      return (
        <span className="grid size-10 shrink-0 place-items-center rounded-md border border-line bg-sunk text-mute">
          <Icon className="size-5" aria-hidden="true" />
        </span>
      );
    }
  }
}
