// What lines to copy are filled in with.

export type Given = {
  readonly host: string;
  readonly port: number;
  readonly tls: "STARTTLS" | "TLS";
  readonly user: string;
  /** The secret key, or what stands for it. */
  readonly password: string;
  readonly from: string;
  readonly to: string;
  /** The certificate is the server's own: programs must not check it. */
  readonly isSelfSigned: boolean;
  /** Of the API. */
  readonly origin: string;
};

export type Lines = {
  readonly id: string;
  /** A proper name, the same in every language. */
  readonly name: string;
  /** Where they go. */
  readonly file: string;
  readonly text: (given: Given) => string;
};

/** A line that is there only sometimes. */
export function when(is: boolean, line: string): string {
  return is ? `${line}\n` : "";
}
