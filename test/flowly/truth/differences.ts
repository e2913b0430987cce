/** Where ours differs from Flowly on purpose, and why. The words are those of `differs` in the record's cases. */
export const reasons: Readonly<Record<string, string>> = {
  contain:
    "one plugin's fault never stops the others: that plugin gets the error, the rest comes out as if it were absent",
  failclosed: "a guard that crashes blocks; it lets the call through only where the person said so",
  rollback: "nothing stays of what a plugin registered that failed",
  suppress: "a user plugin that is not enabled does not hide the one that comes with Flowly",
  owner: "one that lost a collision is shown, and does not list what it lost",
  slug: "each plugin has an interpreter of its own, so two modules of one name do not meet",
  isolate: "each plugin has an interpreter of its own, so nothing crosses from one to another",
  reload: "after a reload nothing is left of old hooks, tools and code",
  nested: "plugins in a category are found, one level deep",
  asyncreg: "an async `register` is awaited",
  inject: "what plugins add to a turn stands there once, however often the model is called in it",
  shown:
    "what a model reads of a long result is the agent's affair, and Patchbay's is another agent; the result itself is the same",
  reserved: "a command that the agent takes first stays where it is, and is known to be out of reach",
};

/** Cases of the record that do not say so themselves. */
export const alsoDiffers: Readonly<Record<string, { rules: string[]; because: string }>> = {
  "hook-names": {
    rules: ["rollback"],
    because: "the hooks of a plugin whose `register` could not be finished live on in Flowly",
  },
  "imp-partial": {
    rules: ["isolate"],
    because: "the plugin `whole` imports another one, which it does not find in its own interpreter",
  },
  gateway: {
    rules: ["contain"],
    because: "a rewrite that is no text ends the turn in Flowly; here it is the number's text",
  },
};
