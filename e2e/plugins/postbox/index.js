/** A channel to a small chat server, on the typed client of its agent. */
export default {
  manifestVersion: 1,
  key: "postbox",
  displayName: "Postbox",
  description: "Brings messages from a small chat server.",
  channel: {
    configFields: [
      { kind: "text", key: "server", label: "Server" },
      { kind: "string_list", key: "owners", label: "Owners" },
    ],
    async start({ server, owners = [] }, ctx) {
      const stopped = new AbortController();
      const headers = { authorization: "Bearer chat-token-4711" };
      const now = () => new Date().toISOString();
      const post = async (message) => {
        const response = await fetch(`${server}/send`, {
          method: "POST",
          headers,
          body: JSON.stringify(message),
        });
        ctx.reportRuntimeState({ lastOut: now() });
        return (await response.json()).id;
      };

      async function take({ id, chat, from, name, text, group, mentioned, file }) {
        const role = owners.includes(from) ? "owner" : "user";
        const review = /^(yes|no) (\d+)$/.exec(text);
        if (review) {
          const decision = review[1] === "yes" ? "allow" : "refuse";
          const { outcome } = await ctx.agent
            .review({ request: review[2], decision, userId: from, role })
            .catch((error) => ({ outcome: error.code }));
          return post({ chat, text: `review: ${outcome}` });
        }
        const message = {
          conversation: chat,
          userId: from,
          role,
          text,
          messageId: id,
          ...(name && { userName: name }),
          ...(group && { group }),
          ...(file && { attachments: [file] }),
        };
        if (group && !mentioned) return ctx.agent.append(message);
        const answer = await ctx.agent.prompt({ ...message, signal: stopped.signal });
        if (!answer.silent) await post({ chat, text: answer.text });
        for (const { name: file, data } of answer.attachments ?? [])
          await post({ chat, file: { name: file, data } });
      }

      async function listen() {
        while (!stopped.signal.aborted) {
          const response = await fetch(`${server}/next`, { headers, signal: stopped.signal });
          const update = await response.json();
          ctx.reportRuntimeState({ lastIn: now() });
          take(update).catch((error) => ctx.logger.warn(`${update.id} was not answered: ${error.message}`));
        }
      }

      const unfollow = ctx.agent.followApprovals({
        asked: ({ shortId, tool, arguments: args }) =>
          post({ chat: "home", text: `May ${tool} run with ${args}? ${shortId}` }),
        settled: () => {},
      });
      listen().catch(
        (error) => stopped.signal.aborted || ctx.reportRuntimeError(`The server is gone: ${error.message}`),
      );
      ctx.reportRuntimeState({
        status: "connected",
        account: "@postbox",
        connectedSince: now(),
        lastIn: null,
        lastOut: null,
        reconnects: 0,
        queue: { in: 0, out: 0 },
      });
      return {
        name: "Postbox",
        outbound: {
          channel: "postbox",
          send: async ({ to, text }) =>
            to === "nowhere"
              ? { success: false, error: "there is no such chat" }
              : { success: true, messageId: await post({ chat: to, text }) },
        },
        stop: async () => {
          unfollow();
          stopped.abort();
        },
      };
    },
  },
};
