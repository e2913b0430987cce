/** What the app asks Slack for; the readme says why. */
const scopes = [
  "app_mentions:read",
  "channels:history",
  "chat:write",
  "commands",
  "files:read",
  "files:write",
  "groups:history",
  "im:history",
  "im:write",
  "mpim:history",
  "users:read",
];

const events = [
  "app_mention",
  "app_uninstalled",
  "message.channels",
  "message.groups",
  "message.im",
  "message.mpim",
  "tokens_revoked",
];

/** The manifest of a Slack app, ready to paste. @param name as people see it, at most 35 characters */
export function appManifest(name: string): string {
  const manifest = {
    display_information: { name: name.slice(0, 35) },
    features: {
      app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: name.slice(0, 80), always_online: true },
      slash_commands: [
        {
          command: "/patchbay",
          description: "Commands of the agent",
          usage_hint: "new | clear | compact | help",
          should_escape: false,
        },
      ],
    },
    oauth_config: { scopes: { bot: scopes } },
    settings: {
      event_subscriptions: { bot_events: events },
      interactivity: { is_enabled: true },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  };
  return JSON.stringify(manifest, null, 2);
}

/** The page on which an app is made of it. */
export function newAppLink(manifest: string): string {
  const compact = JSON.stringify(JSON.parse(manifest));
  return `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(compact)}`;
}
