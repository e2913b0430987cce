import { z } from "zod";
import { PatchbayError } from "../../../../contract/index.ts";
import type { Connection } from "../connection/connection.ts";
import {
  connectRemote,
  type RemoteRequest,
  type RemoteServer,
  type RemoteWay,
} from "../connection/remote.ts";

/** How a server refused somebody that it does not know. */
export interface Refusal {
  /** Its answer 401, whose header says where one signs in. */
  challenge: Response;
}

/**
 * Connects to a server and asks for its tools, to see whether it wants to know who is there. The connection is closed again.
 *
 * @param token sent along; absent: what its settings say is all
 * @returns null when it answers
 * @throws PatchbayError CONFIG_INVALID, CREDENTIALS_REFUSED, SERVER_UNREACHABLE
 */
export async function reach(
  server: RemoteServer,
  {
    request,
    client,
    token,
    signal,
  }: {
    request: RemoteRequest;
    client: RemoteWay["client"];
    token: string | undefined;
    signal: AbortSignal;
  },
): Promise<Refusal | null> {
  let refusal: Refusal | null = null;
  let connection: Connection | undefined;
  try {
    connection = await connectRemote(server, request, {
      client,
      signal,
      authorize: (address, fetch) => ({
        fetch,
        auth: {
          token: async () => token,
          onUnauthorized: async ({ response }) => {
            refusal = { challenge: response };
            throw new PatchbayError("NEEDS_SETUP", `${address.host} wants you to sign in.`);
          },
        },
      }),
    });
    // Some let everybody in and ask only then. What else they say to this is looked at when they run.
    await connection.client.request({ method: "tools/list" }, z.looseObject({}), { signal }).catch(() => {});
  } catch (error) {
    if (refusal === null) throw error;
  } finally {
    await connection?.close();
  }
  signal.throwIfAborted();
  return refusal;
}
