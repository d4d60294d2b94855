// Which large parts the carrying thread has: each is posted to it once, however many mails in hand share it.
import type { Parts } from "./large-parts.ts";

type Posting = {
  /** Posts them under a key, before anything that names the key. */
  readonly post: (key: number, parts: Parts) => void;
  readonly forget: (key: number) => void;
};

type Posted = { readonly key: number; users: number };

export class PostedParts {
  readonly #posting: Posting;
  /** By what mails of one content have in common. */
  readonly #byIdentity = new Map<object, Posted>();
  readonly #identities = new Map<number, object>();
  #lastKey = 0;

  constructor(posting: Posting) {
    this.#posting = posting;
  }

  /** The key under which the thread has them, until `give`; null if there are none. */
  take(parts: Parts): number | null {
    const identity = parts.raw ?? parts.attachments;
    if (identity.length === 0) return null;
    const posted = this.#byIdentity.get(identity) ?? this.#post(identity, parts);
    posted.users++;
    return posted.key;
  }

  give(key: number | null): void {
    const identity = key === null ? undefined : this.#identities.get(key);
    const posted = identity && this.#byIdentity.get(identity);
    if (!identity || !posted || --posted.users > 0) return;
    this.#byIdentity.delete(identity);
    this.#identities.delete(posted.key);
    this.#posting.forget(posted.key);
  }

  #post(identity: object, parts: Parts): Posted {
    const posted = { key: ++this.#lastKey, users: 0 };
    this.#byIdentity.set(identity, posted);
    this.#identities.set(posted.key, identity);
    this.#posting.post(posted.key, parts);
    return posted;
  }
}
