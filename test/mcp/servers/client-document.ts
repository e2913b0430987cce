import type { ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { Authority } from "../../../src/main/platform/walls/secrets/authority.ts";

/** What is changed in the document; a function answers itself. */
export type Change = object | ((response: ServerResponse) => unknown);

/** A public document that describes Patchbay, over TLS, as providers want it (client ID metadata document). */
export class ClientDocument {
  /** How often it was asked for since it was changed. */
  asked = 0;
  /** The certificate of its authority, as PEM: what another process has to trust. */
  readonly authority: string;
  readonly #origin: string;
  #number = 0;
  #more: Change = {};
  readonly #server: Server;
  readonly #trustedBefore: string[];

  /** Opens one whose authority this whole process trusts until it is closed. */
  static async open(): Promise<ClientDocument> {
    const authority = await Authority.make();
    const server = createServer(authority.identityOf("127.0.0.1"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new ClientDocument(server, authority.certificate);
  }

  private constructor(server: Server, authority: string) {
    this.#server = server;
    this.authority = authority;
    this.#trustedBefore = getCACertificates("default");
    setDefaultCACertificates([...this.#trustedBefore, authority]);
    this.#origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (_request, response: ServerResponse) => {
      this.asked += 1;
      if (typeof this.#more === "function") return void this.#more(response);
      response.setHeader("content-type", "application/json").end(JSON.stringify(this.document));
    });
  }

  get url(): string {
    return `${this.#origin}/patchbay-${this.#number}.json`;
  }

  /** As docs/mcp.md says that it has to be. */
  get document(): object {
    return {
      client_id: this.url,
      client_name: "Patchbay",
      application_type: "native",
      redirect_uris: ["http://127.0.0.1/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      ...(typeof this.#more === "object" && this.#more),
    };
  }

  /** Makes it another document, at an address that no provider has seen. */
  renew(more: Change = {}): void {
    this.#number += 1;
    this.change(more);
  }

  /** Changes what lies at its address. */
  change(more: Change): void {
    this.#more = more;
    this.asked = 0;
  }

  async close(): Promise<void> {
    setDefaultCACertificates(this.#trustedBefore);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
