// The types of texts for the server's codes. The English texts come from the server; codes without a translation stay
// English.
type ServerSentence = (values: Record<string, string>) => string;

/** Faults of DNS records. */
export type DnsProblems = Readonly<Record<string, ServerSentence>>;

/** Meanings of reports. */
export type ReportWords = Readonly<Record<string, ServerSentence>>;

/** Refusals of the server. */
export type Refusals = {
  /** By the reason of the error, otherwise by its code. */
  readonly reasons: Readonly<Record<string, ServerSentence>>;
  readonly codes: Readonly<Record<string, string>>;
  /** By field and code, otherwise by the code of the fault. */
  readonly fields: Readonly<Record<string, string>>;
  /** By the code of the fault: made from the server's message if it has more details than the code. */
  readonly messages: Readonly<Record<string, (message: string) => string>>;
};
