import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SetupAbout } from "../../../../contract/setup.ts";

/** Who signs the person in, for which server, with which rights. */
export function SignInFacts({ about }: { about: Extract<SetupAbout, { kind: "sign-in" }> }) {
  const { t } = useTranslation();
  const { server, provider, scopes, more, client } = about;
  return (
    <dl className="mb-5 divide-y divide-line rounded-lg bg-sunk px-5 py-1.5">
      <Fact name={t("signIn.server")}>
        <span className="break-all">{server}</span>
      </Fact>
      <Fact name={t("signIn.provider")}>
        <span className="font-semibold break-all">{provider}</span>
      </Fact>
      {client && (
        <Fact name={t("signIn.client")}>
          <span className="figure break-all">{client.id}</span>{" "}
          <span className="text-sm text-mute">
            {t(client.secret ? "signIn.clientCameWithSecret" : "signIn.clientCame", { provider })}
          </span>
        </Fact>
      )}
      <Fact name={t("signIn.rights")}>
        {scopes.length === 0 ? (
          <span className="text-mute">{t("signIn.noRights")}</span>
        ) : (
          <ul className="flex flex-wrap gap-1.5">
            {scopes.map((right) => (
              <li
                key={right}
                className="flex items-center gap-1.5 rounded-md border border-line-strong bg-surface px-2 py-0.5 font-mono text-xs break-all"
              >
                {right}
                {more.includes(right) && (
                  <span className="rounded-sm bg-warn-wash px-1 font-sans font-semibold text-warn">
                    {t("signIn.new")}
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[9rem_1fr] items-baseline gap-4 py-2.5">
      <dt className="text-sm text-mute">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
