import { type Method, SlackRefusal } from "./call.ts";
import { chatMethods } from "./chat-methods.ts";
import { conversationMethods } from "./conversation-methods.ts";
import { fileMethods } from "./file-methods.ts";

export { SlackRefusal } from "./call.ts";

/** The methods of the Web API that need a bot token. */
export const methods: Record<string, Method> = {
  "auth.test": {
    run: ({ workspace, app, origin }) => ({
      url: `${origin}/`,
      team: workspace.teamName,
      user: workspace.users.get(app.botUserId)?.name,
      team_id: workspace.teamId,
      user_id: app.botUserId,
      bot_id: app.botId,
      is_enterprise_install: false,
    }),
  },
  "users.info": {
    scope: "users:read",
    run: ({ workspace, fields }) => {
      const user = workspace.users.get(String(fields.user));
      if (!user) throw new SlackRefusal("user_not_found");
      return { user: { ...user, profile: { display_name: user.real_name, real_name: user.real_name } } };
    },
  },
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
};
