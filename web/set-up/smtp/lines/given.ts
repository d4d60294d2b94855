// What lines to copy are filled in with.

/** The same for SMTP and for the API. */
export type Mail = {
  /** The secret key, or what stands for it. */
  readonly password: string;
  readonly from: string;
  readonly to: string;
  /** Of the API. */
  readonly origin: string;
};

export type Given = Mail & {
  readonly host: string;
  readonly port: number;
  readonly tls: "STARTTLS" | "TLS";
  readonly user: string;
  /** The certificate is the server's own: programs must not check it. */
  readonly isSelfSigned: boolean;
};

export type Lines<Filled = Given> = {
  readonly id: string;
  /** A proper name, the same in every language. */
  readonly name: string;
  /** Where they go. */
  readonly file: string;
  readonly text: (given: Filled) => string;
};

/** A line that is there only sometimes. */
export function when(is: boolean, line: string): string {
  return is ? `${line}\n` : "";
}
