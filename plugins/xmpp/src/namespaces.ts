export const NS = {
  muc: "http://jabber.org/protocol/muc",
  mucUser: "http://jabber.org/protocol/muc#user",
  chatStates: "http://jabber.org/protocol/chatstates",
  correction: "urn:xmpp:message-correct:0",
  delay: "urn:xmpp:delay",
  stanzaId: "urn:xmpp:sid:0",
  encryption: "urn:xmpp:eme:0",
  mam: "urn:xmpp:mam:2",
  hints: "urn:xmpp:hints",
  forward: "urn:xmpp:forward:0",
  forms: "jabber:x:data",
  pages: "http://jabber.org/protocol/rsm",
  invitation: "jabber:x:conference",
  occupantId: "urn:xmpp:occupant-id:0",
  oob: "jabber:x:oob",
  receipts: "urn:xmpp:receipts",
  reactions: "urn:xmpp:reactions:0",
  reference: "urn:xmpp:reference:0",
  upload: "urn:xmpp:http:upload:0",
  time: "urn:xmpp:time",
  ping: "urn:xmpp:ping",
  roster: "jabber:iq:roster",
  sm: "urn:xmpp:sm:3",
  discoItems: "http://jabber.org/protocol/disco#items",
  discoInfo: "http://jabber.org/protocol/disco#info",
  stanzas: "urn:ietf:params:xml:ns:xmpp-stanzas",
} as const;

export function bareOf(address: string): string {
  return (address.split("/")[0] ?? "").toLowerCase();
}

export function resourceOf(address: string): string {
  const slash = address.indexOf("/");
  return slash < 0 ? "" : address.slice(slash + 1);
}
