/** Where a question waits that is not asked here, and how it is answered from here. */
export function waitingNote(what: string, url: string | undefined, command: string): string {
  const place = url === undefined ? "the running Patchbay" : `the running Patchbay (${url})`;
  return `▲ ${what} waits for an answer in ${place}.\n  From another terminal: ${command}`;
}

/** What can be done about a question that nobody was there to answer. */
export function unansweredHelp({
  agentId,
  pluginKey,
  runtime,
}: {
  agentId: string;
  pluginKey: string;
  runtime: string | undefined;
}): string {
  const ways =
    "Run it at a terminal; or while Patchbay runs, with --wait: then it waits for its screens, or for `patchbay dialog answer`.";
  if (runtime !== "fledge") return ways;
  return `${ways} \`patchbay plugin config ${pluginKey} --agent ${agentId} --set prompts=defaults\` lets its questions answer themselves where they can.`;
}
