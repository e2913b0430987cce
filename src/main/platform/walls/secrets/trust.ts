import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { doorFolder } from "../scratch.ts";

const name = "authority.pem";

/**
 * Puts a certificate where a walled process can read it. What the person trusts beside the usual ones stays trusted: it
 * is copied there, because its own file is not in view.
 *
 * @param folder on this side of the wall, shown as {@link doorFolder}
 * @returns the variables with which Node trusts it
 */
export function trustIn(folder: string, certificate: string): Record<string, string> {
  writeFileSync(join(folder, name), `${certificate}\n${ownCertificates()}`);
  return { NODE_EXTRA_CA_CERTS: `${doorFolder}/${name}` };
}

function ownCertificates(): string {
  try {
    return readFileSync(process.env.NODE_EXTRA_CA_CERTS ?? "", "utf8");
  } catch {
    return "";
  }
}
