// A sign-up by a form, as the ledger of consent has it: the form, the words shown, and the sender.
import type { ConsentAct } from "../../audience/consent/consent.ts";
import type { ConsentWording } from "../../audience/consent/content.ts";
import type { Reader } from "../../store/store.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";
import type { PendingAnswer } from "./answer-queries.ts";
import { wordingOf, type Form } from "./queries.ts";
import { saidIn } from "./text.ts";

/** The cause of a new contact, as contacts have it (access/caller.ts). */
export function causeOfForm({ id }: Pick<Form, "id">): string {
  return `form ${id}`;
}

export async function actOf(reader: Reader, form: Form, one: PendingAnswer): Promise<ConsentAct> {
  const { ip, userAgent } = one.answer;
  const wording = await wordingShown(reader, form, one);
  const { id, name } = form;
  const evidence = { ip, userAgent, ...(wording ? { wording } : {}) };
  return { cause: causeOfForm(form), door: "form", form: { id, name }, evidence };
}

/** In their order on the page; null = it had no words to agree to. */
async function wordingShown(reader: Reader, form: Form, { answer }: PendingAnswer): Promise<ConsentWording | null> {
  const { language, wording: version, offer } = answer;
  const said = version === 0 ? null : await wordingOf(reader, form, version);
  if (!said) return null;
  const { language: otherwise } = await ownWorkspace(reader, form.workspace);
  const texts = [offer?.saysBesides ? said.besides : {}, said.wording];
  const read = texts.flatMap((text) => saidIn(text, language, otherwise) ?? []);
  const last = read.at(-1);
  return last ? { version, language: last.language, text: read.map(({ text }) => text).join("\n") } : null;
}
