import { isGiven } from "../../../contract/found/given-form.ts";
import { type InstallRequest, PatchbayError } from "../../../contract/index.ts";
import type { BroughtServers } from "../../runtimes/mcp/import/brought-servers.ts";

/**
 * The request for a server that was typed or pasted, with a name instead of the text: that may hold secrets, and a request is kept.
 * Any other request stays as it is.
 *
 * @throws PatchbayError SPEC_UNSUPPORTED where the text cannot be read, or describes several servers
 */
export async function withNamedSpec(
  request: InstallRequest,
  brought: Pick<BroughtServers, "given">,
): Promise<InstallRequest> {
  if (!isGiven(request.spec)) return request;
  const servers = await brought.given(request.spec);
  const [one] = servers;
  if (one && servers.length === 1) return { ...request, spec: one.spec };
  const names = servers.slice(0, 10).map(({ name }) => name);
  throw new PatchbayError(
    "SPEC_UNSUPPORTED",
    `It describes ${servers.length} servers: ${names.join(", ")}.`,
    {
      help: "Paste one of them, or bring them together in Discover, on this computer.",
    },
  );
}
