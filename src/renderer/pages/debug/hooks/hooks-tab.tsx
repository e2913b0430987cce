import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/controls/button.tsx";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { EventHooks } from "./event-hooks.tsx";
import { eventNames } from "./example-payloads.ts";
import { FirePanel } from "./fire-panel.tsx";
import { useAbsentHooks } from "./use-absent-hooks.ts";
import { type ListedHook, useHooks } from "./use-hooks.ts";

/** Who listens to what, in what order and how well; and firing an event by hand. */
export function HooksTab({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const { answer, problem, again } = useHooks(agentId);
  const absent = useAbsentHooks(agentId, answer ?? none);
  const [event, setEvent] = useState<string>("tool.before@v1");
  const panel = useRef<HTMLElement>(null);
  const byEvent = Map.groupBy(answer ?? none, (hook) => hook.event);
  const events = order([...byEvent.keys(), ...absent.map((one) => one.event)]);
  const fire = (next: string) => {
    setEvent(next);
    panel.current?.scrollIntoView({ block: "start" });
    panel.current?.querySelector("select")?.focus({ preventScroll: true });
  };
  return (
    <div className="@container relative min-h-0 flex-1 overflow-y-auto px-6 pb-8">
      {problem && <ProblemNote problem={problem} />}
      {!problem && !answer && <Spinner className="m-4 text-mute" />}
      {answer && (
        <>
          <p className="mb-3 text-sm text-mute">{t("hooksTab.text")}</p>
          {events.length === 0 && <EmptyState title={t("hooksTab.empty")} text={t("hooksTab.emptyText")} />}
          <div className="space-y-4">
            {events.map((name) => (
              <EventHooks
                key={name}
                event={name}
                hooks={byEvent.get(name) ?? none}
                absent={absent.filter((one) => one.event === name).map(({ owner }) => owner)}
                action={
                  <Button size="sm" onClick={() => fire(name)}>
                    {t("hooksTab.fireThis")}
                  </Button>
                }
              />
            ))}
          </div>
          <FirePanel ref={panel} agentId={agentId} event={event} onEvent={setEvent} onFired={again} />
        </>
      )}
    </div>
  );
}

const none: readonly ListedHook[] = [];

/** Each once, in the order in which they happen. */
function order(events: string[]): string[] {
  const place = (event: string) => eventNames.indexOf(event);
  return [...new Set(events)].sort((left, right) => place(left) - place(right));
}
