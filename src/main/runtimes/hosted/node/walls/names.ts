import dns from "node:dns";
import net from "node:net";
import { askDoor } from "./ask-door.ts";

/** Kinds of records that the door looks up, by the functions of `node:dns` that ask for them. */
const recordTypes = { resolveSrv: "SRV", resolveTxt: "TXT", resolveMx: "MX", resolveCname: "CNAME" };
const families = { resolve4: 4, resolve6: 6 } as const;
/** Those that it does not: they are judged, so that the attempt is seen, and then have no answer. */
const others = [
  "resolveAny",
  "resolveCaa",
  "resolveNaptr",
  "resolveNs",
  "resolvePtr",
  "resolveSoa",
  "resolveTlsa",
  "reverse",
] as const;

type Ask = (name: string) => Promise<unknown>;

/** Leads every look-up of a name through the door, those of resolvers with servers of their own as well. */
export function askNamesAtDoor(): void {
  const asks: Record<string, Ask> = {
    ...mapped(recordTypes, (type) => (name) => records(name, type)),
    ...mapped(families, (family) => (name) => addresses(name, family)),
    ...Object.fromEntries(others.map((name) => [name, noAnswer])),
  };
  const later = { ...asks, resolve: resolveLater };
  const called = { ...mapped(asks, withCallback), resolve: withCallback(resolveLater) };
  Object.assign(dns, called);
  Object.assign(dns.Resolver.prototype, called);
  Object.assign(dns.promises, later);
  Object.assign(dns.promises.Resolver.prototype, later);
  dns.lookup = lookup as typeof dns.lookup;
  dns.promises.lookup = lookupLater as typeof dns.promises.lookup;

  function resolveLater(name: string, type: unknown = "A"): Promise<unknown> {
    if (type === "A" || type === "AAAA") return addresses(name, type === "A" ? 4 : 6);
    const found = Object.values(recordTypes).find((each) => each === type);
    return found === undefined ? noAnswer(name) : records(name, found);
  }
}

function mapped<From, To>(all: Record<string, From>, make: (each: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, make(each)]));
}

async function noAnswer(name: string): Promise<never> {
  await askDoor({ lookup: name });
  throw Object.assign(new Error(`Behind this wall nobody can be asked for that of ${name}.`), {
    code: "ENOTIMP",
    hostname: name,
  });
}

type Family = 0 | 4 | 6 | "IPv4" | "IPv6";
type LookupOptions = { family?: Family; all?: boolean };

async function lookupLater(host: string, given: Family | LookupOptions = {}): Promise<unknown> {
  const { family = 0, all = false } = typeof given === "object" ? given : { family: given };
  const wanted = family === "IPv4" ? 4 : family === "IPv6" ? 6 : family;
  const found = host === "" ? [] : await addresses(host, wanted);
  const list = found.map((address) => ({ address, family: net.isIP(address) }));
  if (all) return list;
  const [first] = list;
  if (first) return first;
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), {
    code: "ENOTFOUND",
    syscall: "getaddrinfo",
    hostname: host,
  });
}

function lookup(host: string, ...rest: unknown[]): void {
  const callback = rest.at(-1) as (error: unknown, address?: unknown, family?: unknown) => void;
  const options = rest.length > 1 ? (rest[0] as Family | LookupOptions) : {};
  lookupLater(host, options).then(
    (found) => {
      if (Array.isArray(found)) callback(null, found);
      else callback(null, (found as { address: string }).address, (found as { family: number }).family);
    },
    (error) => callback(error),
  );
}

async function addresses(host: string, family: number): Promise<string[]> {
  const answer = await askDoor({ lookup: host });
  const all = Array.isArray(answer.addresses) ? (answer.addresses as string[]) : [];
  return all.filter((address) => family === 0 || net.isIP(address) === family);
}

async function records(name: string, type: string): Promise<unknown> {
  return (await askDoor({ records: { name, type } })).records;
}

function withCallback(later: (name: string, type?: unknown) => Promise<unknown>) {
  return (name: string, ...rest: unknown[]): void => {
    const callback = rest.at(-1) as (error: unknown, found?: unknown) => void;
    later(name, rest.length > 1 ? rest[0] : undefined).then(
      (found) => callback(null, found),
      (error) => callback(error),
    );
  };
}
