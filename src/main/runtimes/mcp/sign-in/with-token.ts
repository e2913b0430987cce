import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import { PatchbayError } from "../../../../contract/index.ts";
import type { Fetch } from "../../../platform/walls/network/judged-fetch.ts";
import type { HostServices } from "../../runtime.ts";
import type { Authorization } from "../connection/remote.ts";
import { scopesIn, WantedScopes } from "./wanted-scopes.ts";

/**
 * Puts the token of the plugin's sign-in into the requests to one address. One that is refused is renewed, once for all
 * calls that it was refused to; then the request is made again, once.
 *
 * @param address the server's, to which tokens go and nowhere else
 */
export function withToken(
  services: Pick<HostServices, "oauthToken" | "signedIn" | "credentials">,
  address: URL,
  fetch: Fetch,
): Authorization {
  /** The token that each refused request was made with: another call may have renewed it since. */
  const sentWith = new WeakMap<Response, string>();
  /** The latest token that was made in place of a refused one, until the server has taken it. */
  let renewed: string | undefined;
  const wanted = new WantedScopes(services.credentials);
  return {
    fetch: async (place, init) => {
      const answer = await fetch(place, init);
      const [, token] = /^Bearer (.+)$/i.exec(new Headers(init?.headers).get("authorization") ?? "") ?? [];
      if (answer.status === 403 && token !== undefined) {
        const { error, scope } = extractWWWAuthenticateParams(answer);
        // The next sign-in asks the person for what this one lacks.
        if (error === "insufficient_scope") await wanted.add(scopesIn(scope));
      }
      // Accepted once, it may be refused later as any other.
      if (answer.status !== 401 && token === renewed) renewed = undefined;
      if (answer.status !== 401 || token === undefined) return answer;
      if (token === renewed)
        throw new PatchbayError("CREDENTIALS_REFUSED", `${address.host} does not accept the sign-in.`);
      sentWith.set(answer, token);
      return answer;
    },
    auth: {
      token: async () => (services.signedIn() ? services.oauthToken(undefined, address.href) : undefined),
      onUnauthorized: async ({ response }) => {
        if (!services.signedIn())
          throw new PatchbayError("NEEDS_SETUP", `${address.host} wants you to sign in.`);
        renewed = await services.oauthToken(sentWith.get(response), address.href);
      },
    },
  };
}
