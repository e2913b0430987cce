import de from "../locales/de.json" with { type: "json" };

/** What the app asks Slack for; the readme says why. */
const scopes = [
  "app_mentions:read",
  "channels:history",
  "channels:read",
  "chat:write",
  "commands",
  "files:read",
  "files:write",
  "groups:history",
  "groups:read",
  "im:history",
  "im:write",
  "metadata.message:read",
  "mpim:history",
  "reactions:write",
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

/** Slack's own commands, which no app may take. */
const taken = new Set(
  "active apps archive away call collapse desktop dm dnd expand feed feedback help invite join keys kick leave me msg mute open part prefs remind remove rename search shortcuts shrug star status topic who".split(
    " ",
  ),
);

/**
 * The slash command of an app, made from its name: each app in a workspace needs one of its own, because Slack gives a
 * command to whoever was installed last.
 */
export function commandOfApp(name: string): string {
  const word = name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 24);
  if (word === "") return "/patchbay";
  return taken.has(word) ? `/agent-${word}` : `/${word}`;
}

/**
 * The manifest of a Slack app, ready to paste.
 *
 * @param name as people see it, at most 35 characters
 * @param language of the menu, as a tag such as `de`: Slack shows everybody the same one
 */
export function appManifest(name: string, language = "en"): string {
  const description = "Commands of the agent";
  const manifest = {
    display_information: { name: name.slice(0, 35) },
    features: {
      app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: name.slice(0, 80), always_online: true },
      slash_commands: [
        {
          command: commandOfApp(name),
          description: language === "de" ? de[description] : description,
          usage_hint: "new | stop | clear | compact | help",
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
