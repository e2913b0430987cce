import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** Only http, https and mail addresses become links; any other address stays text. They open outside, and say where they lead. */
export function Link({ url, children }: { url: string; children: ReactNode }) {
  const { t } = useTranslation();
  const address = URL.parse(url);
  if (!address || !["http:", "https:", "mailto:"].includes(address.protocol)) return children;
  const elsewhere = leadsElsewhere(textIn(children), address);
  return (
    <>
      <a
        href={address.href}
        target="_blank"
        rel="noreferrer"
        title={address.href}
        className="underline decoration-line-strong underline-offset-3 hover:decoration-accent"
      >
        {children}
      </a>
      {elsewhere && (
        <span className="text-xs font-medium text-warn">
          {" "}
          {t("conversation.leadsTo", { host: address.host })}
        </span>
      )}
    </>
  );
}

/** The words of a link name a host, and it leads to another one. */
function leadsElsewhere(words: string, { protocol, hostname }: URL): boolean {
  if (protocol === "mailto:") return false;
  const named = hostIn(words.trim());
  return named !== undefined && !`.${hostname}`.endsWith(`.${named.replace(/^www\./, "")}`);
}

/** Endings of hosts; `index.ts` is none. */
const ending = "com|org|net|io|dev|app|ai|co|edu|gov|info|eu|de|at|ch|uk|fr|nl";

function hostIn(words: string): string | undefined {
  const named = new RegExp(`^(?:https?://)?((?:[\\p{L}\\p{N}-]+\\.)+(?:${ending}))(?=$|[/:?#])`, "iu").exec(
    words,
  );
  return (named?.[1] ?? /^https?:\/\/([^\s/:?#]+)/i.exec(words)?.[1])?.toLowerCase();
}

function textIn(node: ReactNode): string {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map(textIn).join("");
  if (typeof node === "object" && node !== null && "props" in node)
    return textIn((node.props as { children?: ReactNode }).children);
  return "";
}
