import { Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { discoverPath, homePath } from "../../base/routes.ts";
import { useMirror } from "../../store/mirror.ts";
import { Button } from "../../ui/controls/button.tsx";
import { EmptyState } from "../../ui/empty/empty-state.tsx";
import { PatchDrawing } from "../../ui/patch/patch-drawing.tsx";

/** The page of a plugin that is neither installed nor known from before. */
export function UnknownPlugin({ agentId, pluginKey }: { agentId: string; pluginKey: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const agent = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  return (
    <div className="grid h-full content-center page-x">
      <EmptyState
        size="page"
        as="h1"
        drawing={<PatchDrawing layout="empty" health="off" runtime="native" />}
        title={t("page.unknown")}
        text={t("page.unknownText", { key: pluginKey, agent })}
        action={
          <>
            <Button onClick={() => void navigate(homePath(agentId))}>{t("page.back", { agent })}</Button>
            <Button
              look="accent"
              icon={<Compass className="size-4" aria-hidden="true" />}
              onClick={() => void navigate(discoverPath(agentId))}
            >
              {t("rail.discover")}
            </Button>
          </>
        }
      />
    </div>
  );
}
