import { expect, test } from "vitest";
import { ClientIds } from "./client-id.ts";
import type { FoundProvider } from "./find-provider.ts";

const provider: FoundProvider = {
  issuer: "https://as.example",
  host: "as.example",
  resource: "https://mcp.example/mcp",
  scopes: undefined,
  renews: false,
  authorizationEndpoint: "https://as.example/auth",
  tokenEndpoint: "https://as.example/token",
  registrationEndpoint: "https://as.example/reg",
  revocationEndpoint: undefined,
  answersWithIssuer: false,
  takesDocuments: false,
  signsPeople: true,
  signsMachines: true,
  takesKeys: true,
  takesPublic: true,
  secretsBy: "basic",
};

/** A provider that registers everybody under a new number. @param more beside the number in its answers */
function world(more: object = {}) {
  const profiles = new Map<string, Record<string, string>>();
  const registered: Record<string, unknown>[] = [];
  const clients = new ClientIds(
    {
      get: async (name) => profiles.get(name) ?? null,
      set: async (name, values) => void profiles.set(name, values ?? {}),
    },
    new Set(),
  );
  const fetch = async (_address: string | URL, { body }: RequestInit = {}) => {
    registered.push(JSON.parse(String(body)));
    return Response.json({ client_id: `made ${registered.length}`, ...more });
  };
  const known = (at: FoundProvider = provider, named?: string) =>
    clients.known(
      at,
      { fetch },
      {
        given: named === undefined ? null : async () => ({ id: named }),
        document: null,
        server: "mcp.example",
        signal: new AbortController().signal,
      },
    );
  return { clients, registered, known };
}

test("a client that the provider made is used again after a sign-in with it, and is for that provider alone", async () => {
  const { clients, known } = world();
  const first = await known();
  await clients.proved(provider);
  expect(await known()).toEqual(first);
  expect((await known({ ...provider, issuer: "https://other.example" }))?.id).toBe("made 2");
});

test("one with which the last sign-in did not come to its end is made again: the provider may have forgotten it", async () => {
  const { clients, known } = world();
  expect((await known())?.id).toBe("made 1");
  expect((await known())?.id).toBe("made 2");
  await clients.proved(provider);
  expect((await known())?.id).toBe("made 2");
  expect((await known())?.id).toBe("made 3");
});

test.each([
  ["is over", 1, "made 2"],
  ["holds", 4_000_000_000, "made 1"],
  ["has no end", 0, "made 1"],
])("one whose secret %s", async (_name, until, next) => {
  const { clients, known } = world({
    client_secret: "between-us-two",
    client_secret_expires_at: until,
    token_endpoint_auth_method: "client_secret_basic",
  });
  expect(await known()).toMatchObject({ id: "made 1", secret: "between-us-two", auth: "basic" });
  await clients.proved(provider);
  expect((await known())?.id).toBe(next);
});

test("a client that the person entered comes first, then what came with the server", async () => {
  const { clients, registered, known } = world();
  expect(await known(provider, "named")).toEqual({ id: "named" });
  await clients.enter(provider, "mine", undefined);
  expect(await known(provider, "named")).toMatchObject({ id: "mine" });
  // Signed in or not: nobody else can make another one.
  expect(await known(provider, "named")).toMatchObject({ id: "mine" });
  expect(registered).toEqual([]);
});

test.each([
  [true, "basic", "none"],
  [false, "basic", "client_secret_basic"],
  [false, "post", "client_secret_post"],
] as const)(
  "it is registered in a way that the provider takes: %s, %s",
  async (takesPublic, secretsBy, way) => {
    const { registered, known } = world();
    await known({ ...provider, takesPublic, secretsBy });
    expect(registered).toMatchObject([{ token_endpoint_auth_method: way, application_type: "native" }]);
  },
);
