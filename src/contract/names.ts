/** The allowed forms of names, for the schemas, and for code that reads a name from an address without a schema. */
export const agentIdPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const pluginKeyPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;
