// The large parts of mails: attachments, or a complete message. Mails of one content share them while they are in hand,
// on each thread.
import { attachmentBytes, attachmentsOf } from "../../mail/emails/content/attachment-queries.ts";
import { rawBytes, rawOf } from "../../mail/emails/content/raw-queries.ts";
import type { Attachment } from "../../content/mime/attachment.ts";
import type { MailToSend } from "../../mail/emails/queries.ts";
import type { Reader, Store } from "../../store/store.ts";

export type LargeParts = {
  readonly attachments: readonly Attachment[];
  /** A complete message, which is not rendered or composed. */
  readonly raw: Uint8Array | null;
};

type PartsOf = Pick<MailToSend, "content" | "attachments" | "messageId">;

export const NO_PARTS: LargeParts = { attachments: [], raw: null };

export async function partsOf(store: Pick<Store, "read">, mail: PartsOf): Promise<LargeParts> {
  if (!hasParts(mail)) return NO_PARTS;
  return store.read(async (reader: Reader) => ({
    attachments: await attachmentsOf(reader, mail.content),
    raw: await rawOf(reader, mail.content),
  }));
}

/** Attachments are in memory twice: as stored, and in base64 as a part of the message. */
const MEMORY_OF_ATTACHMENTS = 1 + 4 / 3;
/** A complete message is in memory twice: as stored, and as it leaves. */
const MEMORY_OF_MESSAGE = 2;

/** The memory of the parts, in bytes. */
export async function bytesOfParts(store: Pick<Store, "read">, mail: PartsOf): Promise<number> {
  if (!hasParts(mail)) return 0;
  return store.read(async (reader) => {
    const [attached, raw] = [await attachmentBytes(reader, mail.content), await rawBytes(reader, mail.content)];
    return MEMORY_OF_ATTACHMENTS * attached + MEMORY_OF_MESSAGE * raw;
  });
}

function hasParts({ attachments, messageId }: PartsOf): boolean {
  return attachments > 0 || messageId !== null;
}

type LargePartsEntry = { readonly parts: Promise<LargeParts>; users: number };

/** Reads the parts of a content once for all its mails that are in hand at the same time. */
export class SharedParts {
  readonly #store: Pick<Store, "read">;
  readonly #kept = new Map<number, LargePartsEntry>();

  constructor(store: Pick<Store, "read">) {
    this.#store = store;
  }

  async use<T>(mail: PartsOf, work: (parts: LargeParts) => Promise<T>): Promise<T> {
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

type LargePartsPost = {
  /** Posts the parts under a key, before any message that names the key. */
  readonly post: (key: number, parts: LargeParts) => void;
  readonly forget: (key: number) => void;
};

type PartsParcel = { readonly key: number; readonly identity: object; users: number };

/** The parts that a carrying thread has: each is posted to it once, however many mails in hand share it. */
export class PostedParts {
  readonly #posting: LargePartsPost;
  /** Keyed by the object that mails of one content share. */
  readonly #posted = new Map<object, PartsParcel>();
  #lastKey = 0;

  constructor(posting: LargePartsPost) {
    this.#posting = posting;
  }

  /** The thread keeps the parts until `give`; null if there are none. */
  take(parts: LargeParts): PartsParcel | null {
    const identity = parts.raw ?? parts.attachments;
    if (identity.length === 0) return null;
    const posted = this.#posted.get(identity) ?? this.#post(identity, parts);
    posted.users++;
    return posted;
  }

  give(posted: PartsParcel | null): void {
    if (!posted || --posted.users > 0) return;
    this.#posted.delete(posted.identity);
    this.#posting.forget(posted.key);
  }

  #post(identity: object, parts: LargeParts): PartsParcel {
    const posted = { key: ++this.#lastKey, identity, users: 0 };
    this.#posted.set(identity, posted);
    this.#posting.post(posted.key, parts);
    return posted;
  }
}
