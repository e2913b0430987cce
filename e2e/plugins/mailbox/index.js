/** A channel that is connected at once and says so; one of its settings makes it fail. */
export default {
  manifestVersion: 1,
  key: "mailbox",
  displayName: "Mailbox",
  description: "Lets people write to the agent.",
  configSchema: {
    type: "object",
    properties: {
      channel: {
        type: "object",
        properties: {
          address: { type: "string", title: "Address", default: "helper@example.com" },
          trouble: {
            type: "string",
            title: "Pretend trouble",
            enum: ["none", "fails", "crashes", "complains", "slow", "lingers"],
            default: "none",
          },
        },
      },
    },
  },
  permissions: { network: true, files: "none", subprocess: false },
  channel: {
    async start(config, ctx) {
      if (config.trouble === "fails") throw new Error("The mail server refused the password.");
      if (config.trouble === "crashes") setTimeout(() => process.exit(3), 20);
      if (config.trouble === "slow") await new Promise((resolve) => setTimeout(resolve, 4_000));
      if (config.trouble === "complains") ctx.reportRuntimeError("Two copies of this mailbox are running.");
      ctx.logger.info(`connected as ${config.address ?? "helper@example.com"}`);
      ctx.logger.debug("folders: Inbox, Sent, Archive");
      ctx.reportRuntimeState({
        status: `Connected as ${config.address ?? "helper@example.com"}`,
        unread: 3,
        lastMessageAt: new Date(Date.now() - 125_000).toISOString(),
      });
      const stop = () =>
        new Promise((resolve) => setTimeout(resolve, config.trouble === "lingers" ? 2_000 : 0));
      return { name: "mailbox", stop };
    },
  },
};
