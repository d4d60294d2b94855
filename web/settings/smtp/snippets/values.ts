// The values filled into the snippets.

/** Values for SMTP and for the API. */
export type SampleEmail = {
  /** The secret key, or a placeholder. */
  readonly password: string;
  readonly from: string;
  readonly to: string;
  /** The origin of the API. */
  readonly origin: string;
};

export type SnippetValues = SampleEmail & {
  readonly host: string;
  readonly port: number;
  readonly tls: "STARTTLS" | "TLS";
  readonly user: string;
  /** The certificate is self-signed: programs must not check it. */
  readonly isSelfSigned: boolean;
};

export type Snippet<Filled = SnippetValues> = {
  readonly id: string;
  /** A proper name, the same in every language. */
  readonly name: string;
  /** The file for the snippet. */
  readonly file: string;
  readonly text: (given: Filled) => string;
};

/** An optional line. */
export function lineIf(is: boolean, line: string): string {
  return is ? `${line}\n` : "";
}
