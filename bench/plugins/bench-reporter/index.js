const now = () => performance.timeOrigin + performance.now();

/** Tools that report: many states a second, many lines of log, and one error with the time it was reported at. */
export default {
  manifestVersion: 1,
  key: "bench-reporter",
  displayName: "Reporter",
  description: "Reports states and errors.",
  tools: {
    namespace: "report",
    async start(_config, ctx) {
      const states = {
        name: "states",
        description: "Reports a number of states, so many a second.",
        parameters: {
          type: "object",
          properties: { perSecond: { type: "number" }, seconds: { type: "number" } },
          required: ["perSecond", "seconds"],
        },
        readOnly: true,
        execute: ({ perSecond, seconds }) =>
          new Promise((resolve) => {
            const begin = now();
            const total = perSecond * seconds;
            let sent = 0;
            const timer = setInterval(() => {
              const due = Math.min(total, Math.floor(((now() - begin) / 1000) * perSecond));
              for (; sent < due; sent += 1) ctx.reportRuntimeState({ count: sent + 1, at: now() });
              if (sent < total) return;
              clearInterval(timer);
              resolve(String(sent));
            }, 1);
          }),
      };
      const lines = {
        name: "lines",
        description: "Prints a number of lines, so many a second.",
        parameters: {
          type: "object",
          properties: { perSecond: { type: "number" }, count: { type: "number" } },
          required: ["perSecond", "count"],
        },
        readOnly: true,
        execute: ({ perSecond, count }) =>
          new Promise((resolve) => {
            const begin = now();
            let sent = 0;
            const timer = setInterval(() => {
              const due = Math.min(count, Math.floor(((now() - begin) / 1000) * perSecond));
              for (; sent < due; sent += 1)
                console.log(
                  `line ${sent + 1}: ${"what is going on, at some length ".repeat((sent % 5) + 1)}`,
                );
              if (sent < count) return;
              clearInterval(timer);
              resolve(String(sent));
            }, 5);
          }),
      };
      const error = {
        name: "error",
        description: "Reports an error that names the time.",
        parameters: { type: "object" },
        readOnly: true,
        execute: () => {
          const text = `reported at ${now()}`;
          ctx.reportRuntimeError(text);
          return text;
        },
      };
      return {
        toolsets: [{ id: "report", description: "Reports.", tools: [states, lines, error] }],
        stop: async () => {},
      };
    },
  },
  hooks: {
    events: ["session.closed@v1"],
    async start(_config, ctx) {
      ctx.on("session.closed@v1", () => {});
      return { stop: async () => {} };
    },
  },
};
