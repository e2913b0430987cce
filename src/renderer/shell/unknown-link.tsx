import { Unplug } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useParams } from "react-router";
import { useLanguage } from "../store/language.ts";
import { Button } from "../ui/controls/button.tsx";
import { useTheme } from "./theme-menu.tsx";

/** The screen for links that lead to no screen of Patchbay. */
export function UnknownLink() {
  const { t } = useTranslation();
  const { link } = useParams();
  const { pathname } = useLocation();
  return <Nowhere title={t("unknown.title")} text={t("unknown.text")} what={link ?? pathname} />;
}

export function UnknownAgent({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  return (
    <Nowhere title={t("unknown.agentTitle", { agent: agentId })} text={t("unknown.agentText")} what={null} />
  );
}

function Nowhere({ title, text, what }: { title: string; text: string; what: string | null }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  useTheme();
  useLanguage();
  return (
    <main className="grid h-full place-content-center justify-items-center gap-2 px-8 text-center">
      <Unplug className="mb-2 size-8 text-hint" aria-hidden="true" />
      <h1 className="title">{title}</h1>
      {what !== null && <p className="figure max-w-[60ch] break-all text-mute">{what}</p>}
      <p className="mb-3 max-w-[48ch] text-mute">{text}</p>
      <Button look="accent" onClick={() => void navigate("/")}>
        {t("unknown.home")}
      </Button>
    </main>
  );
}
