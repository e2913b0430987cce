import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { pluginPath } from "../../base/routes.ts";
import { peopleOf } from "../../model/people.ts";
import type { Row } from "../../model/rows.ts";
import { Button } from "../../ui/controls/button.tsx";

interface PeopleOfferProps {
  row: Row;
  agentId: string;
  pluginKey: string;
  name: string;
  /** Called before the page of the people opens. */
  onLeave(): void;
}

/** Where somebody is let in who wrote to a channel; how that goes, as long as nobody wrote. Nothing where there are no codes. */
export function PeopleOffer({ row, agentId, pluginKey, name, onLeave }: PeopleOfferProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const count = peopleOf(row).waiting.length;
  if (row.view?.strangers !== "pair") return null;
  if (count === 0) return <p className="mt-4 px-1 text-sm text-mute">{t("setup.tryPairing", { name })}</p>;
  return (
    <div className="mt-4 flex items-center gap-3 rounded-lg border border-warn/35 bg-warn-wash px-4 py-3">
      <p className="min-w-0 flex-1 text-sm" role="status">
        {t("people.waitingCount", { count })}
      </p>
      <Button
        size="sm"
        onClick={() => {
          onLeave();
          void navigate(pluginPath(agentId, pluginKey, "people"));
        }}
      >
        {t("people.toPage")}
      </Button>
    </div>
  );
}
