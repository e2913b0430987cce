import { problemFromWire } from "../contract/index.ts";
import type { StoreAddress } from "../main/platform/platform.ts";
import { connect } from "./connect.ts";
import type { Client, Connection, ConnectOptions } from "./context.ts";
import type { Output } from "./terminal/output.ts";
import type { Terminal } from "./terminal/terminal.ts";

const mostTries = 3;

/**
 * Like `connect`. When the core is in this process and its secrets are locked with a passphrase, asks for it first if
 * somebody is at the terminal. A person who gives none goes on without the secrets.
 */
export async function connectUnlocked(
  store: StoreAddress,
  terminal: Terminal,
  output: Output,
  signal: AbortSignal,
  given?: string,
  options?: ConnectOptions,
): Promise<Connection> {
  const connection = await connect(store, { terminal, output, signal, given }, options);
  if (!connection.alone || !terminal.interactive || output.json) return connection;
  try {
    await askForPassphrase(connection.client, terminal, output, signal);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Asks up to three times while the secrets are locked with a passphrase. */
export async function askForPassphrase(
  client: Pick<Client, "secrets">,
  terminal: Pick<Terminal, "optionalSecret">,
  output: Pick<Output, "note">,
  signal: AbortSignal,
): Promise<void> {
  const { open, canUnlock } = await client.secrets.vault();
  if (open || !canUnlock) return;
  output.note("The stored secrets are locked.");
  for (let tries = 0; tries < mostTries; tries += 1) {
    const passphrase = await terminal.optionalSecret("Passphrase (empty: go on without them): ", signal);
    if (passphrase === "") return;
    try {
      await client.secrets.unlock({ passphrase });
      return;
    } catch (error) {
      output.note(problemFromWire(error).message);
    }
  }
}
