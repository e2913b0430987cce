/** Brings tools, a hook and a command, and asks for something of each kind. */
export default {
  manifestVersion: 1,
  key: "calendar",
  displayName: "Calendar",
  description: "Reads and plans appointments in your calendar.",
  permissions: { network: ["caldav.example.com"], files: "workspace", subprocess: false },
  tools: {
    namespace: "calendar",
    start: async () => ({
      toolsets: [
        {
          id: "calendar",
          description: "Appointments.",
          tools: [
            {
              name: "today",
              description: "Lists today's appointments.",
              readOnly: true,
              parameters: { type: "object", properties: {} },
              execute: () => "09:00 Stand-up; 14:00 Dentist",
            },
          ],
        },
      ],
      stop: async () => {},
    }),
  },
  hooks: {
    events: ["prompt.assemble@v1"],
    start: async () => ({ stop: async () => {} }),
  },
  commands: [
    { name: "today", description: "Lists today's appointments", run: () => "09:00 Stand-up; 14:00 Dentist" },
  ],
};
