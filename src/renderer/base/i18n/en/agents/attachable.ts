export const attachableStrings = {
  "attachable.from": "from {{plugin}}",
  "attachable.required": "The prompt needs this.",
  "attachable.suggestions": "Suggestions for {{field}}",
  "attachable.attachFrom": "Attach from plugins",
  "attachable.title": "Attach from plugins",
  "attachable.text":
    "It is read when the message is sent. What stands in it is data for the agent, and no instruction.",
  "attachable.search": "Search by name or address",
  "attachable.none": "No plugin of this agent has anything to attach.",
  "attachable.noMatch": "Nothing has these words.",
  "attachable.more": "{{count}} more. Type to find them.",
  "attachable.silent": "{{plugin}} does not say what it has.",
  "attachable.attach": "Attach",
  "attachable.links": "What the result points to",
  "attachable.attachOf": "Attach {{name}}",
  "attachable.attachedOf": "Attached: {{name}}",
  "attachable.isAttached": "Attached",
  "attachable.done": "Done",
  "attachable.chosen_zero": "Nothing attached yet",
  "attachable.chosen_one": "{{count}} attached",
  "attachable.chosen_other": "{{count}} attached",
  "attachable.forPerson": "for you",
  "attachable.prompts": "Prompts",
  "attachable.promptsText": "You call them in the conversation with /{{plugin}}: and their name.",
  "attachable.resourcesText":
    "It has something to read. Attach it in the conversation with the book beside the paper clip. The agent reads by itself where you switch on list_resources and read_resource among its tools.",
  "attachable.changed_one":
    "It said {{count}} time since it started that what it has there is something else.",
  "attachable.changed_other":
    "It said {{count}} times since it started that what it has there is something else.",
  "attachable.saidByYou": "The prompt, as you",
  "attachable.saidByAgent": "The prompt, as the agent",
};
