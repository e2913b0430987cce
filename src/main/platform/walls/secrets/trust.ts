import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { doorFolder } from "../scratch/scratch.ts";

const name = "authority.pem";

/**
 * Puts a certificate where a walled process can read it. What the person trusts beside the usual ones stays trusted: it
 * is copied there, because its own file is not in view.
 *
 * @param folder on this side of the wall
 * @param shownAt the same folder as a path behind the wall
 * @returns the variables with which Node trusts it
 */
export function trustIn(
  folder: string,
  certificate: string,
  shownAt: string = doorFolder,
): Record<string, string> {
  writeFileSync(join(folder, name), `${certificate}\n${ownCertificates()}`);
  return { NODE_EXTRA_CA_CERTS: join(shownAt, name) };
}

function ownCertificates(): string {
  try {
    return readFileSync(process.env.NODE_EXTRA_CA_CERTS ?? "", "utf8");
  } catch {
    return "";
  }
}
