import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cx } from "../../../ui/class-names.ts";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { useNextStep } from "../../../ui/controls/next-step.ts";

interface PageLinkProps {
  url: string;
  /** Text of the link; absent: that it opens the page. */
  label?: string;
  quiet?: boolean;
  spent?: boolean;
  onFollow?(): void;
}

/** A link to a page of somebody else, with the name of its host. It opens only when the person clicks. */
export function PageLink({ url, label, quiet = false, spent = false, onFollow }: PageLinkProps) {
  const { t } = useTranslation();
  const { ref, isNext } = useNextStep<HTMLAnchorElement>({ wanted: !quiet && !spent });
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        {!spent && (
          <a
            ref={ref}
            href={url}
            target="_blank"
            rel="noreferrer"
            onClick={onFollow}
            className={cx(
              "inline-flex h-9 items-center gap-2 rounded-md border px-4 text-sm font-semibold transition-colors",
              isNext
                ? "border-transparent bg-accent text-on-accent hover:bg-accent-hover"
                : "border-line-strong bg-surface text-ink hover:border-faint hover:bg-sunk",
            )}
          >
            <ExternalLink className="size-4" aria-hidden="true" />
            {label ?? t("setup.openPage")}
          </a>
        )}
        <CopyButton text={() => url} label={t("setup.copyLink")} />
      </div>
      <p className="text-xs text-mute">{t("setup.pageAt", { host: new URL(url).host })}</p>
    </div>
  );
}
