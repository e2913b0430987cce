/** Most tools of one plugin that an agent is offered. Of a plugin with more the person picks. */
export const mostOffered = 64;
