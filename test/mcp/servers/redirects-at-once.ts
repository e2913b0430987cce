import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { sessionHandler } from "./over-http.ts";

/** How clients prove to the provider who they are. */
export type ClientAuth = "none" | "client_secret_basic" | "client_secret_post";

/**
 * A server with sessions and its own provider, which asks nobody anything: its page sends the browser back at once. Calls of
 * tools want the right `call`, which the first sign-in does not ask for.
 */
export function redirectsAtOnce(
  clientAuth: ClientAuth,
  origin: () => string,
  /** Takes addresses of documents as client ids, and registers nobody. */
  takesDocuments = false,
) {
  const handler = sessionHandler();
  const codes = new Map<string, URLSearchParams>();
  const tokens = new Map<string, string>();
  /** What the provider was told about each sign-in. */
  const seen: { client: string; scope: string; resource: string; auth: string }[] = [];

  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const challenge = (response: ServerResponse, status: number, more: string) =>
    response
      .writeHead(status, {
        "www-authenticate": `Bearer ${more}, resource_metadata="${origin()}/.well-known/oauth-protected-resource/mcp"`,
      })
      .end();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? "/", origin());
    switch (url.pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return json(response, 200, { resource: `${origin()}/mcp`, authorization_servers: [origin()] });
      case "/.well-known/oauth-authorization-server":
        return json(response, 200, {
          issuer: origin(),
          authorization_endpoint: `${origin()}/authorize`,
          token_endpoint: `${origin()}/token`,
          ...(takesDocuments
            ? { client_id_metadata_document_supported: true }
            : { registration_endpoint: `${origin()}/register` }),
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: [clientAuth],
        });
      case "/register":
        return json(response, 201, {
          client_id: "made-for-you",
          ...(clientAuth !== "none" && { client_secret: "between-us-two" }),
          token_endpoint_auth_method: clientAuth,
        });
      case "/authorize": {
        const code = randomUUID();
        codes.set(code, url.searchParams);
        const back = new URL(url.searchParams.get("redirect_uri") ?? "");
        back.searchParams.set("code", code);
        back.searchParams.set("state", url.searchParams.get("state") ?? "");
        return response.writeHead(302, { location: back.href }).end();
      }
      case "/token": {
        const given = new URLSearchParams(await text(request));
        const asked = codes.get(given.get("code") ?? "");
        const verifier = given.get("code_verifier") ?? "";
        const hash = createHash("sha256").update(verifier).digest("base64url");
        const basic = request.headers.authorization?.startsWith("Basic ") ?? false;
        const auth = basic
          ? "client_secret_basic"
          : given.has("client_secret")
            ? "client_secret_post"
            : "none";
        if (!asked || asked.get("code_challenge") !== hash || auth !== clientAuth)
          return json(response, 400, { error: "invalid_grant" });
        const scope = asked.get("scope") ?? "";
        const client = asked.get("client_id") ?? "";
        seen.push({ client, scope, resource: given.get("resource") ?? "", auth });
        const access_token = `token-${randomUUID()}`;
        tokens.set(access_token, scope);
        return json(response, 200, { access_token, token_type: "Bearer", expires_in: 600, scope });
      }
      default: {
        const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
        const scope = tokens.get(token);
        if (scope === undefined) return challenge(response, 401, 'scope="list"');
        const body = request.method === "POST" ? await text(request) : "";
        if (body.includes('"tools/call"') && !scope.split(" ").includes("call"))
          return challenge(response, 403, 'error="insufficient_scope", scope="call"');
        return handler(request, response, body === "" ? undefined : JSON.parse(body));
      }
    }
  }
  return { handle, seen };
}
