import { Eye } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { cx } from "../../ui/class-names.ts";
import { reviewPath } from "./review-dialog.tsx";

interface ReviewMarkProps {
  agentId: string;
  pluginKey: string;
  count: number | undefined;
  /** What leads there lies around it already. */
  plain?: boolean;
  className?: string;
}

/** Small, wherever a plugin stands in a list: so many things of it wait to be looked at. Nothing when there are none. */
export function ReviewMark({ agentId, pluginKey, count = 0, plain, className }: ReviewMarkProps) {
  const { t } = useTranslation();
  if (count === 0) return null;
  const words = t("offered.mark", { count });
  const looks = cx(
    "inline-flex h-5 items-center gap-1.5 rounded-sm bg-warn-wash px-1.5 text-xs font-medium whitespace-nowrap text-warn",
    className,
  );
  const content = (
    <>
      <Eye className="size-3 shrink-0" aria-hidden="true" />
      {words}
    </>
  );
  if (plain) return <span className={looks}>{content}</span>;
  return (
    <Link to={reviewPath(agentId, pluginKey)} className={cx(looks, "relative z-10 hover:text-ink")}>
      {content}
    </Link>
  );
}
