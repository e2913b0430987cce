import type { DialogAnswer } from "../../../contract/dialogs/dialog.ts";
import { rpc } from "../../base/client/rpc.ts";

/** Answers a question that waits. @param answer null: it is not answered */
export async function answerDialog(id: string, answer: DialogAnswer): Promise<void> {
  await rpc.dialogs.answer({ id, answer });
}
