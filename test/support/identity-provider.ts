import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** A real OpenID provider on this machine; `Browser` plays the person who uses its pages. */
export class IdentityProvider {
  readonly server: Server;
  readonly issuer: string;
  readonly oidc: Provider;

  /** @param lifetime of an access token in seconds */
  static async open(lifetime = 3_600): Promise<IdentityProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new IdentityProvider(server, lifetime);
  }

  private constructor(server: Server, lifetime: number) {
    this.server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.oidc = new Provider(this.issuer, {
      clients: [
        {
          client_id: "patchbay",
          token_endpoint_auth_method: "none",
          application_type: "native",
          redirect_uris: ["http://127.0.0.1/callback"],
          grant_types: [
            "authorization_code",
            "refresh_token",
            "urn:ietf:params:oauth:grant-type:device_code",
          ],
          response_types: ["code"],
        },
      ],
      scopes: ["openid", "offline_access"],
      features: {
        devInteractions: { enabled: true },
        deviceFlow: { enabled: true },
        revocation: { enabled: true },
      },
      pkce: { required: () => true },
      rotateRefreshToken: true,
      issueRefreshToken: async () => true,
      ttl: {
        AccessToken: lifetime,
        DeviceCode: 600,
        RefreshToken: 86_400,
        Grant: 86_400,
        Session: 86_400,
        Interaction: 600,
        IdToken: 3_600,
      },
      cookies: { keys: ["test"] },
      findAccount: async (_ctx: unknown, id: string) => ({
        accountId: id,
        claims: async () => ({ sub: id }),
      }),
    });
    server.on("request", this.oidc.callback());
  }

  get userinfo(): string {
    return `${this.issuer}/me`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Walks through pages as a person does: follows redirects with cookies, fills in and sends forms. */
export class Browser {
  readonly #cookies = new Map<string, string>();

  /** Opens an address and follows redirects; resolves with the last address, its status and body. */
  async open(
    address: string,
    form?: Record<string, string>,
  ): Promise<{ url: string; status: number; body: string }> {
    let url = address;
    let body: URLSearchParams | undefined = form && new URLSearchParams(form);
    for (let hops = 0; hops < 20; hops += 1) {
      const response = await fetch(url, {
        method: body ? "POST" : "GET",
        redirect: "manual",
        headers: { cookie: this.#cookieHeader(), connection: "close" },
        ...(body && { body }),
      });
      for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
      const location = response.headers.get("location");
      if (!location) return { url, status: response.status, body: await response.text() };
      await response.arrayBuffer();
      url = new URL(location, url).href;
      body = undefined;
    }
    throw new Error("Too many redirects.");
  }

  /** Signs in and allows what is asked, through the provider's own pages, until it is sent back. */
  async allow(address: string): Promise<{ url: string; status: number; body: string }> {
    let page = await this.open(address);
    for (let pages = 0; pages < 6; pages += 1) {
      const form = formOf(page.body);
      if (!form) return page;
      const login: Record<string, string> =
        form.fields.prompt === "login" ? { login: "ada", password: "x" } : {};
      page = await this.open(new URL(form.action, page.url).href, { ...form.fields, ...login });
    }
    return page;
  }

  /** Refuses at the first page. */
  async deny(address: string): Promise<{ url: string; status: number; body: string }> {
    const page = await this.open(address);
    const abort = /href="([^"]*\/abort)"/.exec(page.body)?.[1];
    if (!abort) throw new Error(`There is no way out on this page: ${page.body.slice(0, 500)}`);
    return this.open(new URL(abort, page.url).href);
  }

  #keep(cookie: string): void {
    const [pair = ""] = cookie.split(";");
    const at = pair.indexOf("=");
    this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }
}

function formOf(html: string): { action: string; fields: Record<string, string> } | null {
  const form = /<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(html);
  if (!form) return null;
  const fields: Record<string, string> = {};
  for (const [input] of (form[2] ?? "").matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    if (name) fields[name] = /value="([^"]*)"/.exec(input)?.[1] ?? "";
  }
  return { action: form[1] ?? "", fields };
}
