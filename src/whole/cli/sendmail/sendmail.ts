// `posthorn sendmail`: takes the mail of cron, PHP's mail() and old scripts from the standard input.
import { join } from "node:path";
import { systemClock } from "../../../base/clock.ts";
import { remoteFrom, stateFolder } from "../../../base/config.ts";
import { newId } from "../../../base/ids.ts";
import { AwayError, RefusedError, remoteAt, type Remote } from "../remote-call.ts";
import { letterFrom, LetterError, type SendmailMessage } from "./message.ts";
import { forget, keep, keepRefused, waiting } from "./spool.ts";
import { Submission } from "./submission.ts";
import { readWords, WordError, type SendmailWords } from "./words.ts";
import type { VerbCall, Io, Verb } from "../verb.ts";

/** The codes of sysexits.h, which callers of sendmail know. */
const EXIT = { ok: 0, usage: 64, data: 65, noUser: 67, unavailable: 69, later: 75, noPermission: 77, config: 78 };

export const SENDMAIL: Verb = {
  name: "sendmail",
  argument: "[ADDRESS …]",
  summary: "Sends a message from the standard input, as sendmail does",
  isRemote: true,
  ownWords: true,
  notes: [
    "  -t        Recipients are those in To, Cc and Bcc, too",
    "  -f FROM   The sender, where the message names none with a domain; else POSTHORN_FROM",
    "  -F NAME   The name of that sender",
    "  -i, -oi   A line with a single dot does not end the message",
    "  -q        Sends what is spooled, and reads no message",
    "",
    "Other options of sendmail that only concern a server on this machine are ignored. Mail to users of this machine,",
    "such as root, goes to POSTHORN_LOCAL_TO. While the server is away, the message is kept in a directory, and the next",
    "call sends it. The exit codes are those of sysexits.h.",
  ],
  options: {
    url: { value: "URL", help: "The server (default: POSTHORN_URL, or http://127.0.0.1:8484)" },
    key: { value: "KEY", help: "A key that may send (default: POSTHORN_KEY)" },
    spool: {
      value: "DIR",
      help: "For messages that wait (default: POSTHORN_SPOOL, or ~/.local/state/posthorn/spool)",
    },
  },
  run,
};

type Desk = { readonly io: Io; readonly remote: Remote; readonly spool: string };

async function run({ io, words }: VerbCall): Promise<number> {
  try {
    return await sendmail(io, readWords(words));
  } catch (error) {
    io.err(`posthorn sendmail: ${(error as Error).message}`);
    return exitOf(error);
  }
}

function exitOf(error: unknown): number {
  if (error instanceof WordError) return EXIT.usage;
  if (error instanceof LetterError) return EXIT.data;
  if (error instanceof AwayError) return EXIT.later;
  if (!(error instanceof RefusedError)) return EXIT.later;
  return error.status === 401 || error.status === 403 ? EXIT.noPermission : EXIT.unavailable;
}

async function sendmail(io: Io, words: SendmailWords): Promise<number> {
  const variables = remoteFrom(io.env);
  const { own } = words;
  const spool = own["spool"] ?? variables.spool ?? join(stateFolder(io.env), "posthorn/spool");
  const id = newId(systemClock.nowMs());
  // A message that cannot be sent at all is refused first, so that the caller learns of it.
  const letter = words.onlyQueue
    ? null
    : letterFrom((await io.input?.()) ?? Buffer.of(), words, { ...pick(variables), newId: id });
  const remote = remoteIn(io, own["url"] ?? variables.url, own["key"] ?? variables.key);
  if (remote === null) return EXIT.config;
  const desk = { io, remote, spool };
  try {
    using submission = await Submission.open(remote);
    await sendSpooled(desk, submission).catch((error: Error) => {
      // A fault of the directory does not hold up a new message.
      if (letter === null || error instanceof AwayError) throw error;
      io.err(`posthorn sendmail: ${error.message}`);
    });
    return letter ? await sendOne(desk, submission, letter) : EXIT.ok;
  } catch (error) {
    if (!(error instanceof AwayError)) throw error;
    if (!letter) throw error;
    keep(spool, id, letter);
    io.err(`posthorn sendmail: ${ended(error.message)} The message waits in ${spool}; the next call sends it.`);
    return EXIT.ok;
  }
}

function pick({ from, localTo }: ReturnType<typeof remoteFrom>) {
  return { from, localTo };
}

function remoteIn(io: Io, url: string | undefined, key: string | undefined): Remote | null {
  try {
    return remoteAt(url, key);
  } catch (error) {
    io.err(`posthorn sendmail: ${(error as Error).message}`);
    return null;
  }
}

async function sendOne({ io }: Desk, submission: Submission, letter: SendmailMessage): Promise<number> {
  const refused = await submission.send(letter);
  refused.forEach((reason) => io.err(`posthorn sendmail: ${reason}`));
  return refused.length > 0 ? EXIT.noUser : EXIT.ok;
}

/**
 * A message that is refused, or an unreadable file, does not hold up the others. @throws AwayError when the server goes
 * away
 */
async function sendSpooled(desk: Desk, submission: Submission): Promise<void> {
  for (const { file, letter } of waiting(desk.spool)) {
    try {
      if (letter === null) throw new LetterError(`${file} is no message that was spooled.`);
      await sendOne(desk, submission, letter);
      forget(file);
    } catch (error) {
      if (!(error instanceof RefusedError || error instanceof LetterError)) throw error;
      desk.io.err(`posthorn sendmail: ${ended(error.message)} The spooled file is kept as ${keepRefused(file)}.`);
    }
  }
}

/** Adds the full stop that messages of servers lack. */
function ended(text: string): string {
  return text.replace(/[^.!?)]$/, "$&.");
}
