import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { type Reach, serveProxy } from "../network/proxy.ts";

/** What programs say in front of the password. */
const user = "patchbay";

/**
 * The HTTP proxy of all programs behind these walls. They share one port, because the library opens the same one to all of
 * them; so each has a password in the address of its proxy, which says who asks. Whoever has none gets nowhere.
 */
export class SharedProxy {
  readonly #server: Server = createServer();
  readonly #reaches = new Map<string, Reach>();
  #close = () => {};

  /** Opens it at a free port of the loopback. @returns that port */
  async open(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.#close = serveProxy(this.#server, (host, port, signal, who) => {
      const reach = this.#reaches.get(passwordOf(who));
      if (reach) return reach(host, port, signal);
      throw Object.assign(new Error("This proxy serves plugins of Patchbay alone."), { code: "ENOBODY" });
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Whoever says this password is let through by `reach`, until {@link dismiss}. */
  admit(password: string, reach: Reach): void {
    this.#reaches.set(password, reach);
  }

  dismiss(password: string): void {
    this.#reaches.delete(password);
  }

  close(): void {
    this.#close();
  }
}

export function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

/** The address of the proxy up to its port. */
export function addressBeforePort(password: string): string {
  return `http://${user}:${password}@127.0.0.1:`;
}

function passwordOf(header = ""): string {
  const [, value = ""] = /^Basic\s+(\S+)$/i.exec(header) ?? [];
  const [name, ...rest] = Buffer.from(value, "base64").toString("latin1").split(":");
  return name === user ? rest.join(":") : "";
}
