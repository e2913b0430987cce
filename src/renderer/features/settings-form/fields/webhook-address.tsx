import { useParams } from "react-router";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";

/** Where the platform has to send its messages. Read only: Patchbay gives it out. */
export function WebhookAddress({ id }: { id: string }) {
  const { agentId = "", key = "" } = useParams();
  const address = `${location.origin}/api/agents/${agentId}/channels/${key}/webhook`;
  return (
    <div className="flex items-center gap-2">
      <output
        id={id}
        className="figure min-w-0 flex-1 truncate rounded-md bg-sunk px-2.5 py-1.5"
        title={address}
      >
        {address}
      </output>
      <CopyButton text={() => address} />
    </div>
  );
}
