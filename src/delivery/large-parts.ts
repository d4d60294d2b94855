// The large parts of mails: attachments, or a message as it was handed in. Mails of one content share them while they are in hand.
import { attachmentsOf, attachmentBytes, type AttachmentRow } from "../emails/attachment-queries.ts";
import type { MailRow } from "../emails/queries.ts";
import { rawBytes, rawOf } from "../emails/raw-queries.ts";
import type { Reader, Store } from "../store/store.ts";

export type Parts = {
  readonly attachments: readonly AttachmentRow[];
  /** The message as it was handed in: nothing is rendered or composed. */
  readonly raw: Uint8Array | null;
};

type PartsOf = Pick<MailRow, "content" | "attachments" | "message_id">;

export const NO_PARTS: Parts = { attachments: [], raw: null };

/** Read only when they are needed, since they may be megabytes. */
export async function partsOf(store: Pick<Store, "read">, mail: PartsOf): Promise<Parts> {
  if (!hasParts(mail)) return NO_PARTS;
  return store.read(async (reader: Reader) => ({
    attachments: await attachmentsOf(reader, mail.content),
    raw: await rawOf(reader, mail.content),
  }));
}

/** What attachments take in memory: as they are stored, and in base64 as a part of the message. */
const MEMORY_OF_ATTACHMENTS = 1 + 4 / 3;
/** As it is stored, and as it leaves. */
const MEMORY_OF_MESSAGE = 2;

/** How many bytes of memory they take. */
export async function bytesOfParts(store: Pick<Store, "read">, mail: PartsOf): Promise<number> {
  if (!hasParts(mail)) return 0;
  return store.read(async (reader) => {
    const [attached, raw] = [await attachmentBytes(reader, mail.content), await rawBytes(reader, mail.content)];
    return MEMORY_OF_ATTACHMENTS * attached + MEMORY_OF_MESSAGE * raw;
  });
}

function hasParts({ attachments, message_id: messageId }: PartsOf): boolean {
  return attachments > 0 || messageId !== null;
}

type Kept = { readonly parts: Promise<Parts>; users: number };

/** Reads the parts of a content once for all mails that are in hand at the same time. */
export class SharedParts {
  readonly #store: Pick<Store, "read">;
  readonly #kept = new Map<number, Kept>();

  constructor(store: Pick<Store, "read">) {
    this.#store = store;
  }

  async use<T>(mail: PartsOf, work: (parts: Parts) => Promise<T>): Promise<T> {
    const kept = this.#kept.get(mail.content) ?? { parts: partsOf(this.#store, mail), users: 0 };
    this.#kept.set(mail.content, kept);
    kept.users++;
    try {
      return await work(await kept.parts);
    } finally {
      if (--kept.users === 0) this.#kept.delete(mail.content);
    }
  }
}
