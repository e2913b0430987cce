import type { CredentialStore } from "@patchbay/plugin-sdk";
import type { Requests } from "../../../hosted/node/requests.ts";

/** Profiles of named values. The app keeps them with its secrets; while a setup runs, until it is done, in memory. */
export function createCredentialStore(requests: Requests): CredentialStore {
  const read = async (profile: string): Promise<Record<string, string>> => {
    const stored = await requests.send({ kind: "credentials.get", profile: String(profile) });
    return typeof stored === "object" && stored !== null ? { ...(stored as Record<string, string>) } : {};
  };
  const write = async (profile: string, values: Record<string, string> | null) => {
    await requests.send({ kind: "credentials.set", profile: String(profile), values });
  };
  return {
    get: async (profile, key) => (await read(profile))[key],
    list: read,
    set: async (profile, key, value) => write(profile, { ...(await read(profile)), [key]: String(value) }),
    delete: async (profile, key) => {
      const { [key]: _gone, ...rest } = await read(profile);
      await write(profile, rest);
    },
    replace: (profile, values) => write(profile, values),
    clear: (profile) => write(profile, null),
  };
}
