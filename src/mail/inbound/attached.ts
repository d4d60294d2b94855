// The files attached to a mail, outgoing or inbound; and the bytes of a mail, for files that are in them.
import type { FairQueue } from "../../base/brakes/fair-queue.ts";
import { refuseGone } from "../emails/content/gone.ts";
import { attachedTo, attachmentAt } from "../emails/content/attachment-queries.ts";
import { rawOf } from "../emails/content/raw-queries.ts";
import type { Mail } from "../emails/queries.ts";
import { slicesOf } from "../emails/receive.ts";
import { AppError } from "../../base/errors.ts";
import type { Store } from "../../store/store.ts";
import { joined } from "./message.ts";
import { filesOfContent } from "./queries.ts";
import type { ReadingThread } from "./reading-thread.ts";
import type { AttachedFile } from "./reading/reading.ts";
import type { MessageText } from "./reading/text.ts";

export type InboundSources = {
  readonly store: Store;
  readonly thread: ReadingThread;
  /** Each request takes its whole message and more of memory while it is read. */
  readonly turns: FairQueue;
};

export const ANY_TYPE = "application/octet-stream";

/** A submitted complete message: its files are in it, not beside it. */
export function isSubmitted({ status, messageId }: Mail): boolean {
  return status !== "RECEIVED" && messageId !== null;
}

/** @throws AppError EMAIL_NOT_FOUND, CONTENT_GONE */
export async function filesOf(sources: InboundSources, mail: Mail): Promise<readonly AttachedFile[]> {
  await sources.store.read((reader) => refuseGone(reader, mail.content));
  if (isSubmitted(mail)) return (await readableText(sources, () => submitted(sources, mail))).files;
  if (mail.attachments === 0) return [];
  return sources.store.read(async (reader) => {
    if (mail.status === "RECEIVED") return filesOfContent(reader, mail.content);
    const attached = await attachedTo(reader, mail.content);
    return attached.map((file) => ({ ...file, contentType: file.contentType ?? ANY_TYPE }));
  });
}

/** Null if the file is gone. */
export function bytesOfFile(sources: InboundSources, mail: Mail, place: number): Promise<Uint8Array | null> {
  const { store, thread, turns } = sources;
  return turns.run(async () => {
    if (mail.status === "RECEIVED") return thread.file(await received(sources, mail), place);
    if (isSubmitted(mail)) return thread.file(await submitted(sources, mail), place);
    return store.read((reader) => attachmentAt(reader, mail.content, place));
  });
}

/**
 * The text of the message as its reader sees it. Its bytes, which are transferred to the thread, are fetched in its
 * turn.
 */
export function readableText(
  { thread, turns }: InboundSources,
  bytes: () => Promise<Uint8Array>,
): Promise<MessageText> {
  return turns.run(async () => thread.text(await bytes()));
}

/** @throws AppError CONTENT_GONE */
export async function received({ store }: InboundSources, { workspace, content }: Mail): Promise<Uint8Array> {
  await store.read((reader) => refuseGone(reader, content));
  return joined(await Array.fromAsync(slicesOf(store, { workspace, content })));
}

/** @throws AppError EMAIL_NOT_FOUND */
async function submitted({ store }: InboundSources, { content }: Mail): Promise<Uint8Array> {
  const raw = await store.read((reader) => rawOf(reader, content));
  if (raw === null)
    throw new AppError("EMAIL_NOT_FOUND", "The message is gone: a person whom it names has been erased.");
  return joined([raw]);
}
