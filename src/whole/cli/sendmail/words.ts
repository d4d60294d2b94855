// The words of sendmail's command line, as programs have written them for forty years.

export type SendmailWords = {
  /** The recipients are those in To, Cc and Bcc too. */
  readonly readsRecipients: boolean;
  /** A line with a single dot does not end the message. */
  readonly ignoresDots: boolean;
  /** Sends the spooled messages, and reads no message. */
  readonly onlyQueue: boolean;
  readonly from: string | null;
  readonly fullName: string | null;
  readonly recipients: readonly string[];
  /** Our own options: url, key, spool. */
  readonly own: Readonly<Record<string, string>>;
};

/** A word that sendmail would not understand either. */
export class WordError extends Error {
  override readonly name = "WordError";
}

/** Options with a value, which stands behind them or in the next word. */
const WITH_VALUE = "BCFLNORVXbdfhpr";
/** Our server does what these options mean in any case, or not at all. */
const HARMLESS = /^-(o.*|[AGUmnv]|A[cm]|bm|[BCFLNORVXdhpfr].*)$/;
const OWN = /^--(url|key|spool)(?:=(.*))?$/s;

/** @throws WordError */
export function readWords(words: readonly string[]): SendmailWords {
  const read = {
    readsRecipients: false,
    ignoresDots: false,
    onlyQueue: false,
    from: null as string | null,
    fullName: null as string | null,
    recipients: [] as string[],
    own: {} as Record<string, string>,
  };
  const rest = [...words];
  const next = (word: string) => {
    const value = rest.shift();
    if (value === undefined) throw new WordError(`${word} needs a value`);
    return value;
  };
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, name, value] = OWN.exec(word) ?? [];
    if (word === "--") read.recipients.push(...rest.splice(0));
    else if (name !== undefined) read.own[name] = value ?? next(word);
    else if (!word.startsWith("-") || word === "-") read.recipients.push(word);
    else if (/^-q/.test(word)) read.onlyQueue = true;
    else if (/^-[it]+$/.test(word)) {
      read.readsRecipients ||= word.includes("t");
      read.ignoresDots ||= word.includes("i");
    } else if (word === "-oi") read.ignoresDots = true;
    else if (!HARMLESS.test(word)) throw new WordError(`sendmail's ${word} is not supported`);
    else {
      const letter = word.charAt(1);
      const text = WITH_VALUE.includes(letter) && word.length === 2 ? next(word) : word.slice(2);
      if (letter === "f" || letter === "r") read.from = text;
      if (letter === "F") read.fullName = text;
    }
  }
  return read;
}
