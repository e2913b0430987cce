import { setTimeout as later } from "node:timers/promises";

/** One red pixel. */
const picture =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/** Tools with arguments of most kinds, whose results are of most kinds. */
export default {
  manifestVersion: 1,
  key: "forge",
  displayName: "Forge",
  description: "Builds what it is told to build.",
  permissions: { network: [], files: "none", subprocess: false },
  tools: {
    namespace: "forge",
    async start() {
      return {
        toolsets: [
          {
            id: "forge",
            description: "Building.",
            tools: [
              {
                name: "build",
                label: "Build",
                description: "Builds a target and tells which files came out.",
                readOnly: true,
                parameters: {
                  type: "object",
                  properties: {
                    target: {
                      type: "string",
                      title: "Target",
                      description: "What is built.",
                      enum: ["app", "docs", "site"],
                      default: "app",
                    },
                    jobs: { type: "integer", title: "Jobs", minimum: 1, maximum: 8, default: 2 },
                    clean: { type: "boolean", title: "Clean first", default: true },
                    label: { type: "string", title: "Label", minLength: 2 },
                  },
                  required: ["target", "label"],
                  additionalProperties: false,
                },
                async execute({ target, jobs, clean, label }) {
                  return {
                    content: [{ type: "text", text: `Built ${target} as ${label} with ${jobs} jobs.` }],
                    details: {
                      target,
                      clean,
                      files: [
                        { path: `out/${target}/index.js`, bytes: 48_211 },
                        { path: `out/${target}/style.css`, bytes: 5_120 },
                      ],
                    },
                  };
                },
              },
              {
                name: "draw",
                label: "Draw",
                description: "Draws a picture.",
                readOnly: true,
                parameters: { type: "object", properties: {} },
                execute: async () => ({
                  content: [
                    { type: "text", text: "One pixel." },
                    { type: "image", data: picture, mimeType: "image/png" },
                  ],
                }),
              },
              {
                name: "smelt",
                label: "Smelt",
                description: "Takes long, and tells how far it is.",
                readOnly: true,
                parameters: { type: "object", properties: {} },
                async execute(_input, { signal, onUpdate }) {
                  for (let percent = 1; percent < 100 && !signal.aborted; percent += 1) {
                    onUpdate?.(`${percent} % molten`);
                    await later(50, undefined, { signal }).catch(() => {});
                  }
                  return "molten";
                },
              },
              {
                name: "crack",
                label: "Crack",
                description: "Always fails.",
                readOnly: true,
                parameters: { type: "object", properties: {} },
                execute: async () => {
                  throw new Error("The anvil has a crack.");
                },
              },
            ],
          },
        ],
        stop: async () => {},
      };
    },
  },
  commands: {
    async start() {
      return {
        commands: [
          {
            name: "heat",
            description: "Heats the forge to a temperature",
            argsHint: "<degrees>",
            async run(args) {
              if (!/^\d+$/.test(args)) throw new Error("Say how hot, in degrees");
              return `The forge has ${args} degrees.`;
            },
          },
        ],
        stop: async () => {},
      };
    },
  },
};
