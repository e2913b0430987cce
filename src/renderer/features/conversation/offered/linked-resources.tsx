import { BookOpen, Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ResourceLink } from "../../../../contract/conversation/offered.ts";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { attachResource, detach, useAttachedFiles } from "../files/attached-files.ts";

interface LinkedResourcesProps {
  /** Key of the plugin whose tool named them. */
  owner: string;
  links: readonly ResourceLink[];
  /** Whom the next message is for; null: none can be written. */
  place: string | null;
}

/** What a tool's result points to: each goes with the next message when the person wants it, and is read then. */
export function LinkedResources({ owner, links, place }: LinkedResourcesProps) {
  const { t } = useTranslation();
  return (
    <ul
      aria-label={t("attachable.links")}
      className="mt-2 divide-y divide-line rounded-md border border-line"
    >
      {links.map((link) => (
        <LinkedResource key={link.uri} owner={owner} link={link} place={place} />
      ))}
    </ul>
  );
}

interface LinkedResourceProps {
  owner: string;
  link: ResourceLink;
  place: string | null;
}

function LinkedResource({ owner, link: { uri, name }, place }: LinkedResourceProps) {
  const { t } = useTranslation();
  const { resources } = useAttachedFiles(place ?? "");
  const chosen = resources.find((one) => one.owner === owner && one.uri === uri);
  const shown = cleanLine(name);
  return (
    <li className="flex items-center gap-3 px-3 py-1.5">
      <BookOpen className="size-4 shrink-0 text-mute" aria-hidden="true" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{shown}</span>
        <code title={uri} className="figure block truncate text-xs text-mute">
          {uri}
        </code>
      </span>
      {place !== null && (
        <Button
          size="sm"
          look="quiet"
          aria-pressed={chosen !== undefined}
          aria-label={t(chosen ? "attachable.attachedOf" : "attachable.attachOf", { name: shown })}
          icon={chosen && <Check className="size-3.5 text-accent" aria-hidden="true" />}
          onClick={() =>
            chosen ? detach(place, chosen.id) : attachResource(place, { owner, uri, name: shown })
          }
        >
          {t(chosen ? "attachable.isAttached" : "attachable.attach")}
        </Button>
      )}
    </li>
  );
}
