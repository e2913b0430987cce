import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import type { PluginView } from "../../../contract/plugin.ts";
import type { Review, Verdict } from "../../../contract/tools/said.ts";
import { rpc } from "../../base/client/rpc.ts";
import { pluginPath } from "../../base/routes.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { HeldCard } from "./held-card.tsx";

const asked = "review";

/** The page of a plugin with what is to be looked at open. */
export function reviewPath(agentId: string, key: string): string {
  return `${pluginPath(agentId, key)}?${asked}`;
}

/** What a plugin changed in its words, added and no longer offers, each with its two answers. Open while the address says so. */
export function ReviewDialog({ agentId, plugin }: { agentId: string; plugin: PluginView }) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  if (!search.has(asked)) return null;
  const close = () => void navigate(pluginPath(agentId, plugin.manifestKey), { replace: true });
  return <OpenReview plugin={plugin} onClose={close} />;
}

type Answered = Pick<Verdict, "kind" | "name" | "hash">;

function OpenReview({ plugin, onClose }: { plugin: PluginView; onClose(): void }) {
  const { t } = useTranslation();
  const { manifestKey: key, displayName: name, toLookAt = 0 } = plugin;
  const [review, setReview] = useState<Review | null>(null);
  const look = useAction(async () => setReview(await rpc.plugins.review({ key })));
  const decide = useAction(async (things: readonly Answered[], accept: boolean) => {
    const verdicts = things.map(({ kind, name, hash }) => ({ kind, name, hash, accept }));
    setReview(await rpc.plugins.decideReview({ key, verdicts }));
  });
  const { act } = look;
  // Again when the server says something else meanwhile.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    void act();
  }, [key, toLookAt]);
  const held = review?.held ?? [];
  const open = held.filter(({ kept }) => !kept);
  const gone = review?.gone ?? [];
  const problem = decide.problem ?? look.problem;
  return (
    <Dialog
      open
      onClose={onClose}
      width="lg"
      title={t("offered.title", { name })}
      description={
        review?.from === undefined || held.length === 0
          ? t("offered.text")
          : t("offered.afterUpdate", { from: review.from, version: review.version })
      }
      notice={problem && <ProblemNote problem={problem} />}
      footer={
        open.length > 1 ? (
          <>
            <Button look="quiet" busy={decide.busy} onClick={() => void decide.act(open, false)}>
              {t("offered.keepAll")}
            </Button>
            <Button look="accent" busy={decide.busy} onClick={() => void decide.act(open, true)}>
              {t("offered.acceptAll", { count: open.length })}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{t("common.close")}</Button>
        )
      }
    >
      {review === null && look.busy && <Spinner className="m-6 text-mute" />}
      {review && held.length + gone.length === 0 && (
        <p role="status" className="text-sm text-mute">
          {t("offered.nothing", { name })}
        </p>
      )}
      <div className="space-y-3">
        {held.map((thing) => (
          <HeldCard
            key={`${thing.kind} ${thing.name}`}
            thing={thing}
            busy={decide.busy}
            onDecide={(accept) => void decide.act([thing], accept)}
          />
        ))}
      </div>
      {gone.length > 0 && (
        <section aria-label={t("offered.gone")} className="mt-4">
          <div className="flex items-center justify-between gap-3">
            <h3 className="text-sm font-semibold">{t("offered.gone")}</h3>
            <Button size="sm" look="quiet" busy={decide.busy} onClick={() => void decide.act(gone, true)}>
              {t("offered.forgetGone")}
            </Button>
          </div>
          <ul className="mt-1 space-y-0.5 text-sm text-mute">
            {gone.map(({ kind, name: of, title }) => (
              <li key={`${kind} ${of}`}>
                {kind === "instructions" ? (
                  t("offered.instructions")
                ) : (
                  <code className="figure">{title}</code>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  );
}
