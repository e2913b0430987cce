import type { TFunction } from "i18next";
import type { SetupAbout } from "../../../../contract/setup.ts";

/** The words of a step that is Patchbay's own. What is missing is the step's own text. */
export interface OwnWords {
  title?: string;
  text?: string;
  /** What was wrong with the last answer. */
  problem?: string;
  /** By the key of a field, the value of an option, or `copy` for what is to be taken along. */
  labels?: Readonly<Record<string, string>>;
  /** By the value of an option, or the key of a field. */
  help?: Readonly<Record<string, string>>;
}

/** Says a step of Patchbay's own in the language of the screens; nothing for a plugin's own step. */
export function ownWords(t: TFunction, about: SetupAbout | undefined): OwnWords {
  switch (about?.kind) {
    case undefined:
      return {};
    case "sign-in": {
      const { server, provider } = about;
      return {
        title: t("signIn.title", { server }),
        text: t("signIn.text", { server }),
        labels: {
          go: t("signIn.go", { provider }),
          own: t("signIn.own"),
          account: t("signIn.account"),
        },
        help: { own: t("signIn.ownHelp"), account: t("signIn.accountHelp") },
      };
    }
    case "client-id":
      return {
        title: t("signIn.clientTitle"),
        text: t("signIn.clientText", { provider: about.provider }),
        labels: {
          client_id: t("signIn.clientId"),
          client_secret: t("signIn.clientSecret"),
          copy: t("signIn.back"),
        },
      };
    case "account": {
      const { provider, fault } = about;
      return {
        title: t("signIn.accountTitle"),
        text: t("signIn.accountText", { provider }),
        ...(fault && { problem: t(`signIn.accountFault.${fault}`, { provider }) }),
        labels: { client_id: t("signIn.clientId"), client_secret: t("signIn.secretOrKey") },
        help: { client_secret: t("signIn.secretOrKeyHelp") },
      };
    }
    case "key":
      return {
        title: t("signIn.keyTitle"),
        text: t("signIn.keyText", { server: about.server }),
        labels: { key: t("signIn.key") },
      };
  }
}
