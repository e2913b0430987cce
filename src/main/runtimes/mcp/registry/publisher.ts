/**
 * Who published a server, as its name proves it to the registry: an account of GitHub (`github.com/acme`), or the owner of a
 * domain (`acme.com`).
 */
export function provenPublisher(name: string): string {
  const owner = name.split("/")[0] ?? name;
  const account = /^io\.github\.([^.]+)$/i.exec(owner)?.[1];
  return account === undefined ? owner.split(".").reverse().join(".") : `github.com/${account}`;
}
