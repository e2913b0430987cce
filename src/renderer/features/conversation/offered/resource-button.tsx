import { BookOpen } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../ui/controls/button.tsx";
import { ResourcePicker } from "./resource-picker.tsx";
import { useResourcePlugins } from "./use-resource-plugins.ts";

/** Opens what the agent's plugins can read for the message; there where one of them may have something. */
export function ResourceButton({ agentId, place }: { agentId: string; place: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const plugins = useResourcePlugins(agentId);
  if (plugins === "" && !isOpen) return null;
  return (
    <>
      <IconButton label={t("attachable.attachFrom")} className="size-7" onClick={() => setOpen(true)}>
        <BookOpen className="size-4" aria-hidden="true" />
      </IconButton>
      {isOpen && (
        <ResourcePicker agentId={agentId} place={place} version={plugins} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
