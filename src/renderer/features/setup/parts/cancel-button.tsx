import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/controls/button.tsx";

export function CancelButton({ onLeave }: { onLeave(): void }) {
  const { t } = useTranslation();
  return <Button onClick={onLeave}>{t("common.cancel")}</Button>;
}
