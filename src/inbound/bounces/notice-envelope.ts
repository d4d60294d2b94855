// What is known of a notice beside its bytes.

export type NoticeEnvelope = {
  /** Whom the mails went to that its recipients (our return paths) name. */
  readonly addressees: readonly string[];
  /** Its own return path: '' = the null sender, as it should be; null = not known. */
  readonly sender: string | null;
};
