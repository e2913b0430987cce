/** The allowed forms of names, for the schemas, and for code that reads a name from an address without a schema. */
export const agentIdPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const pluginKeyPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** The names of tools that model providers accept. */
export const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;
/** What can be typed after a slash. */
export const commandNamePattern = /^[A-Za-z0-9][A-Za-z0-9_:.-]{0,63}$/;
