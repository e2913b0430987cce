import { FolderSymlink, ShieldAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PluginView } from "../../../contract/plugin.ts";
import { rpc } from "../../base/client/rpc.ts";
import { growthLine } from "../../base/i18n/growth-words.ts";
import { followJob } from "../../features/plugins/follow-job.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

async function review(key: string): Promise<void> {
  followJob(await rpc.plugins.update({ key }));
}

/** Says of a linked folder that it is run as it is, and asks when it declares more than was agreed to. */
export function LinkedFolderNote({ plugin }: { plugin: PluginView }) {
  const { t } = useTranslation();
  const { act, busy, problem } = useAction(review);
  if (plugin.source.kind !== "link") return null;
  if (plugin.grown.length === 0) {
    return (
      <p className="flex items-start gap-3 rounded-lg border border-line bg-sunk px-4 py-3 text-sm text-mute">
        <FolderSymlink className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        {t("grown.linked")} {t("grown.linkedNoMore")}
      </p>
    );
  }
  return (
    <div role="status" className="rounded-lg border border-warn/35 bg-warn-wash px-4 py-3 text-sm">
      <div className="flex items-start gap-3">
        <ShieldAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words text-ink">{t("grown.linkTitle")}</p>
          <ul className="mt-1 list-disc space-y-0.5 pl-5 break-words">
            {plugin.grown.map((one) => (
              <li key={`${one.kind} ${one.name ?? ""} ${one.detail ?? ""}`}>
                <bdi>{growthLine(one, t)}</bdi>
              </li>
            ))}
          </ul>
          <p className="mt-1 text-mute">
            {t("grown.linkText")} {t("grown.linked")}
          </p>
        </div>
        <Button size="sm" busy={busy} onClick={() => void act(plugin.manifestKey)}>
          {t("grown.review")}
        </Button>
      </div>
      {problem && <ProblemNote problem={problem} className="mt-3" />}
    </div>
  );
}
