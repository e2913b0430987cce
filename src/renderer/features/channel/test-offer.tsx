import { Send } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/controls/button.tsx";
import { TestMessage } from "./test-message.tsx";
import { useTraffic } from "./use-traffic.ts";

interface TestOfferProps {
  agentId: string;
  pluginKey: string;
  /** The plugin's name. */
  name: string;
}

/** At the end of a setup: one message through the channel, so that the person sees it arrive. */
export function TestOffer(props: TestOfferProps) {
  const { t } = useTranslation();
  const [taken, setTaken] = useState(false);
  return taken ? (
    <Offered {...props} />
  ) : (
    <Button icon={<Send className="size-4" aria-hidden="true" />} onClick={() => setTaken(true)}>
      {t("channel.testOffer")}
    </Button>
  );
}

function Offered({ agentId, pluginKey, name }: TestOfferProps) {
  const { t } = useTranslation();
  const { traffic } = useTraffic(agentId, pluginKey, false);
  const newest = traffic?.conversations.find(({ closed }) => !closed)?.conversation ?? "";
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  return (
    <div ref={form} className="rounded-lg border border-line px-4 py-3 text-left">
      <TestMessage
        agentId={agentId}
        pluginKey={pluginKey}
        to={newest}
        runs
        hint={traffic?.count === 0 ? t("channel.testNobody", { name }) : undefined}
      />
    </div>
  );
}
