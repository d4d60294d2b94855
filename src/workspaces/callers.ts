// Who calls, kept for as long as nothing changes: the same few keys come with every request.
import { BoundedMap } from "../bounded-map.ts";
import { sha256Hex } from "../ids.ts";
import type { Store } from "../store/store.ts";
import { callerWith, type Caller } from "./key-set.ts";

const MOST_KEYS = 10_000;

export class Callers {
  #byHash = new BoundedMap<string, Caller>(MOST_KEYS);
  #version: number | null = null;

  constructor(private readonly store: Store) {}

  /** Whom the key belongs to, as it is committed now, here or by another process; null if the key is unknown or revoked. */
  async with(key: string): Promise<Caller | null> {
    const hash = sha256Hex(key);
    const version = this.store.version();
    if (version !== this.#version) this.#forget(version);
    const known = this.#byHash.get(hash);
    if (known) return known;
    const caller = await this.store.read((reader) => callerWith(reader, key));
    if (caller && version !== null && version === this.store.version()) this.#byHash.set(hash, caller);
    return caller;
  }

  #forget(version: number | null): void {
    this.#byHash = new BoundedMap(MOST_KEYS);
    this.#version = version;
  }
}
