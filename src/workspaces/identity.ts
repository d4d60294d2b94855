// What the service that takes our mails has to know of a sender domain, where it has to know any.
import type { Finding } from "./domains/dns-check/finding.ts";

export type SigningKey = {
  readonly selector: string;
  readonly privateKeyPem: string;
  /** Of all keys that the domain's name has or had here, whoever has the domain. */
  readonly ownSelectors: readonly string[];
};

/** The sender domains as the service knows them. */
export interface Identities {
  /** Its name, for people. */
  readonly service: string;
  /**
   * Tells the service of the domain and of the key it signs with, where it does not know, and answers what it says: MISSING =
   * it is still looking, WRONG = it does not send from the domain. Never throws.
   */
  look(domain: string, key: SigningKey): Promise<Finding>;
  /** Answers when what is asked has been answered. */
  close(): Promise<void>;
}
