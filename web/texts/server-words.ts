// The shapes of what the server says by code. English is what the server says itself; what a table lacks stays English.
type ServerSentence = (values: Record<string, string>) => string;

/** What can be wrong with a DNS record. */
export type DnsProblems = Readonly<Record<string, ServerSentence>>;

/** What reports mean. */
export type ReportWords = Readonly<Record<string, ServerSentence>>;

/** What the server refuses. */
export type Refusals = {
  /** By the reason that an error names, else by its code. */
  readonly reasons: Readonly<Record<string, ServerSentence>>;
  readonly codes: Readonly<Record<string, string>>;
  /** By field and code, else by the code of the fault. */
  readonly fields: Readonly<Record<string, string>>;
  /** By the code of the fault: from the server's words, where they name more than a code can. */
  readonly messages: Readonly<Record<string, (message: string) => string>>;
};
