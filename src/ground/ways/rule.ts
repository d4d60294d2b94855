// A rule chooses the ways of the mails that it matches. Each workspace has the part of the rules that the door needs,
// so that a request reads no more than it.

/** The properties of a mail at the door. */
export type RuledMail = {
  /** The sender's domain. */
  readonly domain: string;
  readonly kind: "TRANSACTIONAL" | "MARKETING";
  /** JSON array; null = none. */
  readonly tags: string | null;
  /** The provider of the recipient's mailbox; called only if a rule has it as a condition. */
  readonly provider: () => string;
};

/** The conditions of a rule; null = any. */
export type Conditions = {
  readonly domain: string | null;
  readonly kind: RuledMail["kind"] | null;
  readonly tag: string | null;
  readonly provider: string | null;
};

export type RuleAtDoor = Conditions & { readonly rule: number };

/** The texts that were read last: all workspaces without rules of their own share one. */
const read = new Map<string, readonly RuleAtDoor[]>();
const MOST_TEXTS = 100;

/**
 * The number of the first rule that matches a mail; null = none. `text`: the rules of its workspace, as it keeps them.
 */
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
