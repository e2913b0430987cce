/**
 * A channel that plays its own service: each webhook says how many conversations to hold, and how many of them at once.
 */
export default {
  manifestVersion: 1,
  key: "bench-channel",
  displayName: "Channel",
  description: "Holds conversations with itself.",
  channel: {
    async start(_config, ctx) {
      async function say(conversation, messageId) {
        const begin = performance.now();
        let first = null;
        const { text } = await ctx.agent.prompt({
          conversation,
          messageId,
          userId: "somebody",
          text: `message ${messageId} of ${conversation}`,
          onDelta: () => {
            first ??= performance.now() - begin;
          },
        });
        return { conversation, text, first };
      }
      return {
        name: "bench",
        stop: async () => {},
        async handleWebhook({ rawBody }) {
          const { prefix, conversations, messages, atOnce } = JSON.parse(rawBody.toString());
          const answers = [];
          let next = 0;
          const lane = async () => {
            while (next < conversations) {
              const conversation = `${prefix}-${next++}`;
              for (let number = 0; number < messages; number += 1)
                answers.push(await say(conversation, `${number}`));
            }
          };
          await Promise.all(Array.from({ length: atOnce }, lane));
          return { status: 200, body: JSON.stringify(answers) };
        },
      };
    },
  },
};
