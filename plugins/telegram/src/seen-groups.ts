import type { Chat, ChatMemberUpdated, Message, Update } from "grammy/types";

/** Most groups that are remembered. */
const MOST = 20;

/** The groups that the bot was seen in, by their ids, with their titles; the newest last. */
export class SeenGroups {
  readonly #titles = new Map<string, string>();

  /** Notes what an update tells of groups. Returns whether that changed anything. */
  take({ message, edited_message, my_chat_member }: Update): boolean {
    if (my_chat_member) return this.#member(my_chat_member);
    const said = message ?? edited_message;
    return said ? this.#said(said) : false;
  }

  get list(): { id: string; title: string }[] {
    return Array.from(this.#titles, ([id, title]) => ({ id, title }));
  }

  #said({ chat, migrate_to_chat_id: to, migrate_from_chat_id: from }: Message): boolean {
    // A group that became a supergroup goes on under another id.
    const gone = to === undefined ? from : chat.id;
    if (gone !== undefined) this.#titles.delete(String(gone));
    return to === undefined ? this.#note(chat) : true;
  }

  #member({ chat, new_chat_member: { status } }: ChatMemberUpdated): boolean {
    return status === "left" || status === "kicked" ? this.#titles.delete(String(chat.id)) : this.#note(chat);
  }

  #note(chat: Chat): boolean {
    if (chat.type !== "group" && chat.type !== "supergroup") return false;
    const id = String(chat.id);
    if (this.#titles.get(id) === chat.title) return false;
    this.#titles.set(id, chat.title.slice(0, 100).toWellFormed());
    for (const oldest of this.#titles.keys()) {
      if (this.#titles.size <= MOST) break;
      this.#titles.delete(oldest);
    }
    return true;
  }
}
