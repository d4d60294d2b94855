// A rule says by which ways mails leave that it is about. What the door needs of the rules stands with each workspace, so
// that a request asks for nothing more.

/** Of a mail at the door. */
export type RuledMail = {
  /** Of its sender. */
  readonly domain: string;
  readonly kind: "TRANSACTIONAL" | "MARKETING";
  /** JSON array; null = none. */
  readonly tags: string | null;
  /** Of the recipient's mailbox; asked for only if a rule is about it. */
  readonly provider: () => string;
};

/** Which mails a rule is about; null = whatever. */
export type Conditions = {
  readonly domain: string | null;
  readonly kind: RuledMail["kind"] | null;
  readonly tag: string | null;
  readonly provider: string | null;
};

export type RuleAtDoor = Conditions & { readonly rule: number };

/** Texts that were read last: all workspaces without a rule of their own have the same. */
const read = new Map<string, readonly RuleAtDoor[]>();
const MOST_TEXTS = 100;

/** The number of the first rule that a mail meets; null = none. `text`: the rules of its workspace, as it keeps them. */
export function ruleFor(text: string | null, mail: RuledMail): number | null {
  if (text === null) return null;
  return rulesIn(text).find((rule) => meets(mail, rule))?.rule ?? null;
}

export function rulesJson(rules: readonly RuleAtDoor[]): string | null {
  return rules.length === 0 ? null : JSON.stringify(rules);
}

export function meets(mail: RuledMail, { domain, kind, tag, provider }: Conditions): boolean {
  if (domain !== null && domain !== mail.domain) return false;
  if (kind !== null && kind !== mail.kind) return false;
  if (tag !== null && !(mail.tags !== null && (JSON.parse(mail.tags) as string[]).includes(tag))) return false;
  return provider === null || provider === mail.provider();
}

function rulesIn(text: string): readonly RuleAtDoor[] {
  const known = read.get(text);
  if (known) return known;
  if (read.size >= MOST_TEXTS) read.clear();
  const rules = JSON.parse(text) as RuleAtDoor[];
  read.set(text, rules);
  return rules;
}
