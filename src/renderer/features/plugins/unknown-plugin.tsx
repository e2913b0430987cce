import { Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { discoverPath, homePath } from "../../base/routes.ts";
import { useMirror } from "../../store/mirror.ts";
import { Button } from "../../ui/controls/button.tsx";
import { PatchDrawing } from "../../ui/patch/patch-drawing.tsx";

/** The page of a plugin that is neither installed nor known from before. */
export function UnknownPlugin({ agentId, pluginKey }: { agentId: string; pluginKey: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const agent = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  return (
    <div className="grid h-full place-content-center justify-items-center page-x py-10 text-center">
      <PatchDrawing layout="empty" health="off" runtime="native" />
      <h1 className="title mt-6 break-words">{t("page.unknown")}</h1>
      <p className="mt-1 max-w-[48ch] text-pretty break-words text-mute">
        {t("page.unknownText", { key: pluginKey, agent })}
      </p>
      <div className="mt-5 flex flex-wrap justify-center gap-2">
        <Button onClick={() => void navigate(homePath(agentId))}>{t("page.back", { agent })}</Button>
        <Button
          look="accent"
          icon={<Compass className="size-4" aria-hidden="true" />}
          onClick={() => void navigate(discoverPath(agentId))}
        >
          {t("rail.discover")}
        </Button>
      </div>
    </div>
  );
}
