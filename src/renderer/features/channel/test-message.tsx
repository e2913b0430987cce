import { CircleCheck, Send } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { rpc } from "../../base/client/rpc.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

async function send(agentId: string, key: string, to: string, text: string) {
  return rpc.agentPlugins.testMessage({ agentId, key, text, ...(to && { to }) });
}

interface TestMessageProps {
  agentId: string;
  pluginKey: string;
  /** The receiver, unless the person names another. */
  to: string;
  runs: boolean;
  /** Shown while no receiver is named. */
  hint?: string | undefined;
}

/** Sends one message through the channel, so that the person sees that it arrives. */
export function TestMessage(props: TestMessageProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const to = typed ?? props.to;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const sending = useAction(send);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSentTo(null);
    const sent = await sending.act(props.agentId, props.pluginKey, to.trim(), t("channel.testText"));
    if (sent) setSentTo(sent.to);
  };
  return (
    <form className="space-y-2" onSubmit={(event) => void submit(event)}>
      <div className="flex items-end gap-2">
        <Field label={t("channel.testTo")} className="min-w-0 flex-1">
          {(control) => (
            <input
              {...control}
              className="field h-8 font-mono text-sm"
              value={to}
              autoComplete="off"
              spellCheck={false}
              placeholder={t("channel.testPlaceholder")}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          icon={<Send className="size-4" />}
          busy={sending.busy}
          disabled={!props.runs || to.trim() === ""}
        >
          {t("channel.test")}
        </Button>
      </div>
      {props.hint && to === "" && <p className="text-xs text-mute">{props.hint}</p>}
      {!props.runs && <p className="text-xs text-mute">{t("channel.testNeedsRunning")}</p>}
      <div role="status">
        {sentTo !== null && (
          <p className="flex items-center gap-1.5 text-sm text-ok">
            <CircleCheck className="size-4" aria-hidden="true" />
            {t("channel.testSent", { to: sentTo })}
          </p>
        )}
      </div>
      {sending.problem && <ProblemNote problem={sending.problem} />}
    </form>
  );
}
