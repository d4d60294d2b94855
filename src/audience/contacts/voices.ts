// The voices that speak about a person, and the rights of each. The guide has the same table (docs/contacts.md).
import type { Caller } from "../../tenant/access/caller.ts";

/** `confirmed`: only once the person has confirmed by mail; `unless left`: topics that the person has not left. */
type RightGrant = "yes" | "no" | "confirmed" | "unless left";

/** The rights of a voice under its terms. Each is made once. */
export type ContactVoice = {
  /** Adds a contact that is subscribed. */
  readonly add: RightGrant;
  /** Subscribes a contact that has left. */
  readonly subscribe: RightGrant;
  /** Lifts the suppression of a bounce or a complaint by subscribing. */
  readonly lift: RightGrant;
  readonly unsubscribe: RightGrant;
  /** Joins topics for a contact that exists. */
  readonly join: RightGrant;
  /** Changes the data of a contact that exists. */
  readonly update: RightGrant;
};

const ALL = { add: "yes", subscribe: "yes", lift: "yes", unsubscribe: "yes", join: "yes", update: "yes" } as const;
const NONE = { add: "no", subscribe: "no", lift: "no", unsubscribe: "no", join: "no", update: "no" } as const;

/**
 * A secret key is also a member of the team. The person, a merge and a provider have verbs of their own; all others
 * speak by a `ContactInput`.
 */
export const VOICES = {
  "secret-key": ALL,
  "public-key": { ...ALL, lift: "no" },
  person: { ...ALL, add: "no", update: "no" },
  form: { ...NONE, add: "yes", subscribe: "confirmed", join: "confirmed", update: "confirmed" },
  import: { ...ALL, subscribe: "no", lift: "no", join: "unless left" },
  workflow: { ...ALL, add: "no", lift: "no", join: "no" },
  sender: NONE,
  merge: { ...NONE, unsubscribe: "yes", join: "unless left", update: "yes" },
  provider: { ...NONE, unsubscribe: "yes" },
} as const satisfies Record<string, ContactVoice>;

type VoiceName = keyof typeof VOICES;

/** The rights that settings and requests change. */
export const TERMS = {
  "double opt-in": { add: "confirmed" },
  "update off": { subscribe: "no", join: "no", update: "no" },
  "unsubscribe off": { unsubscribe: "no" },
  "workspace's double opt-in": { add: "confirmed", subscribe: "confirmed", join: "no" },
  resubscribe: { subscribe: "yes", lift: "yes", join: "yes" },
} as const satisfies Record<string, Partial<ContactVoice>>;

type TermName = keyof typeof TERMS;

/** In this order; the last of those that hold counts. */
export const TERMS_OF = {
  "secret-key": ["double opt-in"],
  "public-key": ["double opt-in", "update off", "unsubscribe off", "workspace's double opt-in"],
  form: ["double opt-in"],
  import: ["double opt-in", "resubscribe"],
} as const satisfies Partial<Record<VoiceName, readonly TermName[]>>;

/** The voice under each set of its terms, which have a bit of the index each. */
function underTerms(name: keyof typeof TERMS_OF): readonly [ContactVoice, ...ContactVoice[]] {
  const terms: readonly TermName[] = TERMS_OF[name];
  const sets = Array.from({ length: 1 << terms.length }, (_, bits) => terms.filter((_term, at) => bits & (1 << at)));
  return sets.map((those) => voice(name, those)) as unknown as readonly [ContactVoice, ...ContactVoice[]];
}

function voice(name: VoiceName, terms: readonly TermName[] = []): ContactVoice {
  return Object.freeze(Object.assign({ ...VOICES[name] }, ...terms.map((term) => TERMS[term])));
}

const SECRET_KEY = underTerms("secret-key");
const PUBLIC_KEY = underTerms("public-key");
const FORM = underTerms("form");
const IMPORT = underTerms("import");

/** A secret key that asks for no confirmation, as a send does. */
export const [KEY_VOICE] = SECRET_KEY;
export const WORKFLOW_VOICE = voice("workflow");
export const SENDER_VOICE = voice("sender");

type Speaker = Pick<Caller, "kind" | "doubleOptIn" | "mayUpdate" | "mayUnsubscribe">;

/** `asksNew`: the request wants double opt-in. */
export function voiceOf({ kind, doubleOptIn, mayUpdate, mayUnsubscribe }: Speaker, asksNew: boolean): ContactVoice {
  if (kind !== "public") return SECRET_KEY[doubleOptIn || asksNew ? 1 : 0] as ContactVoice;
  const set = (asksNew ? 1 : 0) | (mayUpdate ? 0 : 2) | (mayUnsubscribe ? 0 : 4) | (doubleOptIn ? 8 : 0);
  return PUBLIC_KEY[set] as ContactVoice;
}

export function formVoice(isAsked: boolean): ContactVoice {
  return FORM[isAsked ? 1 : 0] as ContactVoice;
}

/** `isAsked`: new people are asked to confirm. */
export function importVoice(isAsked: boolean, resubscribe: boolean): ContactVoice {
  return IMPORT[(isAsked ? 1 : 0) | (resubscribe ? 2 : 0)] as ContactVoice;
}
