import { useTranslation } from "react-i18next";
import { AddressForm, useAddress } from "./address-form.tsx";

/** As what Patchbay is known to those who sign people in for servers. */
export function ClientDocumentBlock({ address }: { address: string | null }) {
  const { t } = useTranslation();
  const edited = useAddress({
    id: "client document",
    stored: address,
    isRight: (typed) => /^https:\/\/[^/\s]+\/\S+$/.test(typed),
    patch: (clientMetadataUrl) => ({ clientMetadataUrl }),
  });
  return (
    <AddressForm
      title={t("signIn.document")}
      label={t("signIn.documentAddress")}
      help={t("signIn.documentHelp")}
      fault={t("signIn.documentBad")}
      edited={edited}
      unchanged={null}
    />
  );
}
