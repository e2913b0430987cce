import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BringList } from "../../../features/bring/bring-list.tsx";
import { useHere, useLookHere } from "../../../features/catalogue/here-store.ts";
import { Button } from "../../../ui/controls/button.tsx";

/** What other programs on this computer have, offered on the first start; nothing where they have nothing. */
export function BringOffer({ agentId }: { agentId: string }) {
  const { t, i18n } = useTranslation();
  const [open, setOpen] = useState(false);
  useLookHere();
  const found = useHere((state) => state.found);
  const servers = found?.plugins.filter(({ server, status }) => server && status !== "unsupported") ?? [];
  if (servers.length === 0) return null;
  const clients = [...new Set(servers.flatMap(({ server }) => server?.clients ?? []))];
  const named = new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(clients);
  return (
    <section aria-label={t("bring.title")} className="mb-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-sunk px-4 py-3">
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold">{t("bring.title")}</h3>
          <p className="text-sm text-mute">{t("bring.found", { count: servers.length, clients: named })}</p>
        </div>
        {!open && <Button onClick={() => setOpen(true)}>{t("bring.offer")}</Button>}
      </div>
      {open && (
        <div className="mt-2.5">
          <BringList servers={servers} agentId={agentId} />
        </div>
      )}
    </section>
  );
}
