import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Breakpoint } from "../../../../contract/pauses/pauses.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { useAction } from "../../../ui/action.ts";
import { Button, IconButton } from "../../../ui/controls/button.tsx";
import { Switch } from "../../../ui/controls/switch.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { breakpointsOf, usePauses } from "../pause-store.ts";
import { breakpointName, breakpointWords } from "../pause-words.ts";
import { useNames } from "../use-names.ts";
import { BreakpointForm } from "./breakpoint-form.tsx";

const change = async ({ id, agentId, hits: _hits, slow: _slow, ...rest }: Breakpoint, enabled: boolean) =>
  rpc.breakpoints.change({ ...rest, id, agentId, enabled });
const remove = async ({ id, agentId }: Breakpoint) => rpc.breakpoints.remove({ id, agentId });
const stopNext = async (agentId: string, on: boolean) => rpc.breakpoints.next({ agentId, on });

/** The breakpoints of an agent: where they stop, how often they did, and new ones. */
export function BreakpointDialog({ agentId, onClose }: { agentId: string; onClose(): void }) {
  const { t } = useTranslation();
  const breakpoints = breakpointsOf(
    usePauses((state) => state.breakpoints),
    agentId,
  );
  const isStepping = usePauses((state) => state.stepping.includes(agentId));
  /** The one that is changed, or a new one. */
  const [edited, setEdited] = useState<Breakpoint | "new" | null>(null);
  const next = useAction(stopNext);
  return (
    <Dialog open onClose={onClose} title={t("breakpoints.title")} description={t("breakpoints.explain")}>
      {edited ? (
        <BreakpointForm
          agentId={agentId}
          breakpoint={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
        />
      ) : (
        <div className="space-y-4 pt-1">
          {breakpoints.length === 0 ? (
            <p className="text-sm text-mute">{t("breakpoints.none")}</p>
          ) : (
            <ul className="divide-y divide-line rounded-lg border border-line">
              {breakpoints.map((one) => (
                <Row key={one.id} breakpoint={one} onEdit={() => setEdited(one)} />
              ))}
            </ul>
          )}
          {next.problem && <ProblemNote problem={next.problem} />}
          <div className="flex flex-wrap gap-2">
            <Button look="accent" ahead onClick={() => setEdited("new")}>
              {t("breakpoints.add")}
            </Button>
            <Button
              aria-pressed={isStepping}
              busy={next.busy}
              onClick={() => void next.act(agentId, !isStepping)}
            >
              {t(isStepping ? "breakpoints.nextOn" : "breakpoints.next")}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function Row({ breakpoint, onEdit }: { breakpoint: Breakpoint; onEdit(): void }) {
  const { t } = useTranslation();
  const nameOf = useNames();
  const switching = useAction(change);
  const removing = useAction(remove);
  const name = breakpointName(breakpoint, { t, nameOf });
  const says = breakpointWords(breakpoint, { t, nameOf });
  const problem = switching.problem ?? removing.problem;
  const { hits, condition, slow } = breakpoint;
  return (
    <li className="space-y-2 px-3.5 py-2.5">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <p className="truncate text-sm font-semibold">{name}</p>
          <p className="text-xs text-mute">
            {name !== says && `${says} · `}
            {hits === 0 ? t("breakpoints.never") : t("breakpoints.hits", { count: hits })}
          </p>
          {condition !== null && (
            <p className="figure truncate text-xs text-mute">{t("breakpoints.if", { condition })}</p>
          )}
          {slow && <p className="text-xs text-warn">{t("breakpoints.slow")}</p>}
        </div>
        <IconButton label={t("breakpoints.change", { name })} onClick={onEdit}>
          <Pencil className="size-4" aria-hidden="true" />
        </IconButton>
        <IconButton label={t("breakpoints.remove", { name })} onClick={() => void removing.act(breakpoint)}>
          <Trash2 className="size-4" aria-hidden="true" />
        </IconButton>
        <Switch
          label={t("breakpoints.on", { name })}
          checked={breakpoint.enabled}
          pending={switching.busy}
          onChange={(on) => void switching.act(breakpoint, on)}
        />
      </div>
      {problem && <ProblemNote problem={problem} />}
    </li>
  );
}
