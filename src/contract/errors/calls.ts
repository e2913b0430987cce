/** Tools, hooks, commands and models. */
export const callErrors = {
  // Tools, hooks, commands
  ARGUMENTS_INVALID: {
    status: 400,
    cause: "The arguments do not fit the tool's schema.",
    help: "See what the tool takes: `patchbay tool list --json`, or the page Debug.",
  },
  TOOL_FAILED: {
    status: 500,
    cause: "The tool ran and failed.",
    help: "Try other arguments; the log of its plugin may say more.",
  },
  TOOL_TIMEOUT: {
    status: 504,
    cause: "The tool took longer than its time limit.",
    help: "Try again, or raise the limit.",
  },
  TOOL_DENIED: {
    status: 403,
    cause: "The agent's policy forbids this tool.",
    help: "Change the policy of the agent if you want to allow it.",
  },
  TOOL_HELD: {
    status: 403,
    cause: "What the plugin says of the tool is not what was agreed to.",
    help: "Look at what it says now, on the page of the plugin, or with `patchbay plugin review`.",
  },
  TOOL_OFF: {
    status: 403,
    cause: "The tool is switched off for the agent.",
    help: "Switch it on, on the page of the plugin.",
  },
  TOOL_VETOED: {
    status: 403,
    cause: "A hook blocked the call.",
    help: "Look at the settings of the plugin that blocked it.",
  },
  TOOL_REJECTED: { status: 403, cause: "The call was not approved.", help: "Ask again, or allow it." },
  TOOL_ASKS: {
    status: 409,
    cause: "The tool asks before each call, and nobody is asked here.",
    help: "Allow the tool without a question first, on the page Tools of the agent.",
  },
  HOST_NOT_ALLOWED: {
    status: 403,
    cause: "The plugin may not reach the host that was asked for.",
    help: "Add the host in the conversation or in the settings of the plugin, if it may be reached.",
  },
  HOOK_BLOCKED: {
    status: 403,
    cause: "A hook that must agree failed, so what it guards was stopped.",
    help: "Look at the log and the settings of the plugin that is named.",
  },
  TURN_LIMIT: {
    status: 409,
    cause: "The turn was ended because it went on for too long without an answer.",
    help: "Send another message to go on, or raise the limit of the agent.",
  },
  REPLAY_NO_ANSWER: {
    status: 409,
    cause: "A replay came to something of which the recorded turn has no answer.",
    help: "Look at what differs before it, or let the tools or the model really be asked.",
  },
  REPLAY_NOT_FOUND: {
    status: 404,
    cause: "There is no such replay any more; only the newest are kept.",
    help: "Run the turn again.",
  },
  REPLAY_FILE_INVALID: {
    status: 400,
    cause: "That is not a turn that was kept as a test, or it was damaged.",
    help: "Keep the turn as a test once more.",
  },
  EVENT_UNKNOWN: {
    status: 400,
    cause: "There is no agent event of that name.",
    help: "Choose one of the names in the documentation.",
  },
  HOOK_FAILED: {
    status: 500,
    cause: "A plugin's hook ran and failed.",
    help: "Look at the plugin's log.",
  },
  HOOK_TIMEOUT: {
    status: 504,
    cause: "A plugin's hook took longer than its time limit.",
    help: "Look at the plugin's log; raise the limit if it is slow by nature.",
  },
  COMMAND_TIMEOUT: {
    status: 504,
    cause: "The command took longer than its time limit.",
    help: "Try again, or raise the limit.",
  },
  COMMAND_FAILED: {
    status: 500,
    cause: "The command ran and failed.",
    help: "Try it in another way; the log of its plugin may say more.",
  },
  PROMPT_HELD: {
    status: 403,
    cause: "What the plugin says of the prompt is not what was agreed to.",
    help: "Look at what it says now, on the page of the plugin, or with `patchbay plugin review`.",
  },
  PROMPT_INCOMPLETE: {
    status: 400,
    cause: "The prompt lacks something that it needs.",
    help: "Write what is missing behind the command, as name=value.",
  },
  RESOURCE_UNREADABLE: {
    status: 502,
    cause: "What was attached cannot be read.",
    help: "Detach it, or look at the log of its plugin. Nothing was sent.",
  },
  CALL_UNSUPPORTED: {
    status: 501,
    cause: "Plugins of this system do not offer what was asked of this one.",
    help: "Use what the plugin offers; its page lists it.",
  },

  // Models
  MODEL_NOT_SET: { status: 409, cause: "The agent has no model.", help: "Choose a model for the agent." },
  MODEL_KEY_REFUSED: {
    status: 502,
    cause: "The model's provider refused the key.",
    help: "Store a valid key.",
  },
  MODEL_UNREACHABLE: {
    status: 502,
    cause: "The model's provider did not answer.",
    help: "Check the address and the network.",
  },
  MODEL_BUSY: {
    status: 503,
    cause: "The model's provider takes no more requests at the moment.",
    help: "Wait a little and try again, or choose another model.",
  },
  MODEL_NO_CREDIT: {
    status: 502,
    cause: "The account at the model's provider has no credit left.",
    help: "Add credit at the provider, or choose another model.",
  },
  MODEL_NOT_FOUND: {
    status: 502,
    cause: "The model's provider does not know the model.",
    help: "Choose another model, or correct the address.",
  },
  MODEL_CONTEXT_FULL: {
    status: 502,
    cause: "The conversation is longer than the model can read.",
    help: "Compact the conversation and try again, or choose a model that reads more.",
  },
  MODEL_WITHHELD: {
    status: 502,
    cause: "The model's provider withheld the answer because of its contents.",
    help: "Write it in another way, or choose another model.",
  },
  MODEL_BROKEN: {
    status: 502,
    cause: "The model's provider has a fault of its own.",
    help: "Try again in a moment. If it goes on, choose another model.",
  },
  MODEL_CUT: {
    status: 502,
    cause: "The connection to the model was cut before the answer was complete.",
    help: "Try again.",
  },
  MODEL_EMPTY: {
    status: 502,
    cause: "The model answered with nothing.",
    help: "Try again, or choose another model.",
  },
  MODEL_CALLED_NOTHING: {
    status: 502,
    cause: "The model answered without calling the tool.",
    help: "Try again, or choose a model that can call tools.",
  },
  MODEL_NOT_A_MODEL: {
    status: 502,
    cause: "What answers at the model's address is no model.",
    help: "Correct the address of the model.",
  },
  MODEL_FAILED: {
    status: 502,
    cause: "The model's provider did not accept the request.",
    help: "Try again. If it goes on, try another model, or ask the provider.",
  },
  NOTHING_TO_RETRY: {
    status: 409,
    cause: "The last message of the conversation was answered, or its answer is under way.",
    help: "Write a new message.",
  },
  SCRIPT_INVALID: {
    status: 422,
    cause: "The script of the scripted model cannot be read.",
    help: "Correct the line that is named.",
  },
} as const;
