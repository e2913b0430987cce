import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChannelPerson, PersonDecision } from "../../../contract/agent-plugin.ts";
import { rpc } from "../../base/client/rpc.ts";
import { formatAgo, formatMoment, useNow } from "../../base/i18n/time.ts";
import { peopleOf } from "../../model/people.ts";
import { displayName, type Row } from "../../model/rows.ts";
import { putRow } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { EmptyState } from "../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Block } from "../../ui/well.tsx";

/** What is asked about before it is done. */
type Asked = { person: ChannelPerson; decision: "owner" | "block" | "remove" };

async function decide(row: Row, { userId }: ChannelPerson, decision: PersonDecision): Promise<void> {
  const { agentId, key } = row;
  putRow(await rpc.agentPlugins.decidePerson({ agentId, key, person: { userId }, decision }));
}

/** Who waits to be let in by a channel, who was, and who is never answered. */
export function PeopleTab({ row }: { row: Row }) {
  const { t } = useTranslation();
  const { waiting, letIn, blocked } = peopleOf(row);
  const [asked, setAsked] = useState<Asked | null>(null);
  const deciding = useAction(decide);
  const name = displayName(row);
  const strangers = row.view?.strangers ?? "pair";
  const act = (person: ChannelPerson, decision: PersonDecision) => void deciding.act(row, person, decision);

  return (
    <div className="max-w-4xl space-y-4 page-x py-5">
      <p className="text-sm text-mute">{t(`people.rule.${strangers}`, { name })}</p>
      {deciding.problem && <ProblemNote problem={deciding.problem} />}
      <Block title={t("people.waiting")}>
        {waiting.length === 0 && (
          <EmptyState
            title={t("people.nobodyWaits")}
            text={strangers === "pair" && t("people.nobodyWaitsText")}
          />
        )}
        <PersonList people={waiting} label={t("people.waiting")}>
          {(person) => (
            <>
              <Button size="sm" look="accent" busy={deciding.busy} onClick={() => act(person, "user")}>
                {t("people.allow")}
              </Button>
              <Button size="sm" onClick={() => setAsked({ person, decision: "owner" })}>
                {t("people.allowAsOwner")}
              </Button>
              <Button size="sm" look="quiet" busy={deciding.busy} onClick={() => act(person, "refuse")}>
                {t("people.refuse")}
              </Button>
              <Button size="sm" look="quiet" onClick={() => setAsked({ person, decision: "block" })}>
                {t("people.block")}
              </Button>
            </>
          )}
        </PersonList>
      </Block>
      <Block title={t("people.letIn")}>
        {letIn.length === 0 && (
          <EmptyState title={t("people.nobodyLetIn")} text={t("people.nobodyLetInText")} />
        )}
        <PersonList people={letIn} label={t("people.letIn")}>
          {(person) => (
            <Button size="sm" look="danger" onClick={() => setAsked({ person, decision: "remove" })}>
              {t("people.remove")}
            </Button>
          )}
        </PersonList>
        <p className="mt-3 text-xs text-mute">{t("people.inSettings")}</p>
      </Block>
      {blocked.length > 0 && (
        <Block title={t("people.blocked")}>
          <PersonList people={blocked} label={t("people.blocked")}>
            {(person) => (
              <Button size="sm" busy={deciding.busy} onClick={() => act(person, "remove")}>
                {t("people.unblock")}
              </Button>
            )}
          </PersonList>
        </Block>
      )}
      {asked && (
        <Confirm
          open
          onClose={() => setAsked(null)}
          title={t(`people.ask.${asked.decision}`, { name: asked.person.name ?? asked.person.userId })}
          consequences={[
            t(`people.consequence.${asked.decision}`, { name }),
            t("people.theirId", { id: asked.person.userId }),
          ]}
          verb={t(asked.decision === "owner" ? "people.allowAsOwner" : `people.${asked.decision}`)}
          danger={asked.decision !== "owner"}
          run={() => decide(row, asked.person, asked.decision)}
        />
      )}
    </div>
  );
}

interface PersonListProps {
  people: readonly ChannelPerson[];
  label: string;
  children(person: ChannelPerson): ReactNode;
}

function PersonList({ people, label, children }: PersonListProps) {
  if (people.length === 0) return null;
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {people.map((person) => (
        <li
          key={person.userId}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5 first:pt-0 last:pb-0"
        >
          <Who person={person} />
          <div className="flex flex-wrap items-center gap-1.5">{children(person)}</div>
        </li>
      ))}
    </ul>
  );
}

/** Name, id, when they were first seen, and what stands for them: a code while they wait, else their role. */
function Who({ person }: { person: ChannelPerson }) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const { userId, name, status, code, expiresAt, firstSeenAt, decidedAt, decidedBy } = person;
  const ended = expiresAt === undefined || Date.parse(expiresAt) <= now;
  const at = decidedAt ?? firstSeenAt;
  return (
    <div className="min-w-0 flex-1 basis-64">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <bdi className="max-w-full truncate font-semibold">{name ?? t("people.noName")}</bdi>
        <bdi className="max-w-full truncate font-mono text-xs text-mute" title={userId}>
          {userId}
        </bdi>
      </p>
      <p className="mt-0.5 flex flex-wrap items-baseline gap-x-3 text-sm text-mute">
        {status === "waiting" ? (
          ended ? (
            <span>{t("people.codeEnded")}</span>
          ) : (
            <span>
              {t("people.code")} <span className="font-mono font-semibold text-ink">{code}</span>
            </span>
          )
        ) : (
          <span>{t(`people.status.${status}`)}</span>
        )}
        <span title={formatMoment(at)}>
          {t(status === "waiting" ? "people.firstSeen" : "people.decided", { ago: formatAgo(at, now) })}
        </span>
        {decidedBy !== undefined && <span>{t("people.decidedBy", { id: decidedBy })}</span>}
      </p>
    </div>
  );
}
