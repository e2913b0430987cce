import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useParams } from "react-router";
import { useLanguage } from "../store/language.ts";
import { Button } from "../ui/controls/button.tsx";
import { EmptyState } from "../ui/empty/empty-state.tsx";
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
    <main className="grid h-full content-center px-8">
      <EmptyState
        size="page"
        as="h1"
        title={title}
        text={
          <>
            {what !== null && <p className="figure mb-1 break-all">{what}</p>}
            <p>{text}</p>
          </>
        }
        action={
          <Button look="accent" onClick={() => void navigate("/")}>
            {t("unknown.home")}
          </Button>
        }
      />
    </main>
  );
}
