import { Link } from "react-router";
import type { CatalogEntry } from "../../../contract/job.ts";
import { descriptionOf } from "../../base/i18n/plugin-words.ts";
import { foundPath } from "../../base/routes.ts";
import { didYouMean } from "../../features/catalogue/public.ts";
import { Face } from "../../ui/face.tsx";

/** What was probably meant, each with the way to its page. */
export function NearNames({ agentId, near }: { agentId: string; near: CatalogEntry[] }) {
  return (
    <div className="mt-1 grid w-full max-w-[44ch] gap-2">
      <p>{didYouMean(near)}</p>
      <ul className="grid gap-2 text-left">
        {near.map((entry) => (
          <li key={entry.spec}>
            <Link
              to={foundPath(agentId, entry.spec)}
              className="flex items-center gap-3 rounded-lg border border-line bg-surface px-3 py-2.5 shadow-card hover:border-line-strong"
            >
              <Face
                seed={entry.manifestKey ?? entry.packageName}
                name={entry.displayName}
                icon={entry.icon}
                ours={entry.trust === "built-in"}
              />
              <span className="min-w-0">
                <span className="block truncate font-semibold">{entry.displayName}</span>
                <span className="line-clamp-2 text-sm text-mute">{descriptionOf(entry)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
