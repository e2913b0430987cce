/** The forms of names, for schemas and for those who read an address without one. */
export const agentIdPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const pluginKeyPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;
