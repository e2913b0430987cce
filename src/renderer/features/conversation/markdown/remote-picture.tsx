import { ImageDown } from "lucide-react";
import { createContext, useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import { rpc } from "../../../base/client/rpc.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { dataAddress } from "../files/data-address.ts";
import { PictureButton } from "../files/picture-button.tsx";

/** The agent in whose conversation a text stands; empty: in none, and no picture from elsewhere is offered in it. */
export const AgentOfText = createContext<string>("");

async function fetched(agentId: string, url: string): Promise<string> {
  return dataAddress(await rpc.sessions.picture({ agentId, url }));
}

/** A picture from elsewhere. Nobody is asked for it before the person says so. */
export function RemotePicture({ url, alt }: { url: string; alt: string }) {
  const { t } = useTranslation();
  const agentId = useContext(AgentOfText);
  const [address, setAddress] = useState<string | null>(null);
  const { act, busy, problem } = useAction(fetched);
  const name = alt || url;
  if (agentId === "") return alt || url;
  if (address !== null) return <PictureButton name={name} address={address} size="md" />;
  const show = async () => setAddress((await act(agentId, url)) ?? null);
  return (
    <span className="my-1 flex flex-wrap items-center gap-x-2.5 gap-y-1.5 rounded-md border border-dashed border-line-strong px-2.5 py-1.5 text-xs text-mute">
      <ImageDown className="size-4 shrink-0" aria-hidden="true" />
      <span className="min-w-0 flex-1 basis-40 break-all">
        {alt && <span className="block font-medium break-words text-ink">{alt}</span>}
        {t("conversation.remotePicture", { url })}
      </span>
      <Button size="sm" busy={busy} onClick={() => void show()}>
        {t("conversation.showPicture")}
      </Button>
      {problem && <ProblemNote problem={problem} className="w-full" />}
    </span>
  );
}
