import type * as net from "node:net";
import { show } from "../../../print/describe.ts";
import { Abstract, type AbstractType } from "../../../values/abstract.ts";
import { toBytes, toText } from "../../../values/bytes.ts";
import { Kw } from "../../../values/names.ts";
import { Tuple } from "../../../values/sequences.ts";
import type { Value } from "../../../values/value.ts";
import { panic } from "../../../vm/janet-error.ts";
import { badSlot, bytesAt } from "../../arguments.ts";
import type { Registrar } from "../../registrar.ts";

/** Where a server is. */
export interface Place {
  /** A Unix socket's. */
  path: string | undefined;
  host: string;
  port: string;
}

const addressType: AbstractType<Place> = { name: "core/socket-address" };

export function installAddresses(core: Registrar): void {
  core.cfun(
    "net/address",
    2,
    4,
    "(net/address host port &opt type multi)",
    "An address, to be looked at with net/address-unpack.",
    (args) => new Abstract(addressType, place(args)),
  );
  core.cfun(
    "net/address-unpack",
    1,
    1,
    "(net/address-unpack address)",
    "The host and port of an address as a tuple.",
    (args) => {
      const value = args[0] ?? null;
      if (!(value instanceof Abstract) || value.type !== addressType)
        return badSlot(args, 0, "core/socket-address");
      const { path, host, port } = value.data as Place;
      return path === undefined ? new Tuple([toBytes(host), Number(port)]) : new Tuple([toBytes(path)]);
    },
  );
}

/** Host, port and type, as the functions of `net/` begin. */
export function place(args: readonly Value[]): Place {
  const host = args[0] ?? null;
  const kind = args[2] ?? null;
  if (kind !== null && !(kind instanceof Kw && kind.name === "stream"))
    panic(`expected socket type as :stream, got ${show(kind)}`);
  const port = args[1] ?? null;
  const portText = typeof port === "number" ? String(port) : toText(bytesAt(args, 1));
  if (host instanceof Kw && host.name === "unix") return { path: portText, host: "", port: "" };
  return { path: undefined, host: toText(bytesAt(args, 0)), port: portText };
}

/** As Node takes it. */
export function target({ path, host, port }: Place): net.NetConnectOpts & net.ListenOptions {
  if (path !== undefined) return { path };
  if (!/^\d+$/.test(port) || Number(port) > 65_535)
    panic(`could not get address info: Servname not supported for ai_socktype: ${port}`);
  return { host, port: Number(port) };
}
