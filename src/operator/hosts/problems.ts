// The problems that keep a host of a workspace from being used, each by a code: the sentence in English, and its values
// for programs that say it in another language.

type HostProblemValues = Readonly<Record<string, string>>;

const SENTENCES = {
  proof_missing: ({ host, name, value }: HostProblemValues) =>
    `${host} is below no verified sender domain of this workspace. Verify such a domain, or publish a TXT record at ${name} with the value ${value}.`,
  no_address: ({ host, target }: HostProblemValues) => `${host} has no address in the DNS. Let it lead to ${target}.`,
  elsewhere: ({ host, found, target }: HostProblemValues) =>
    `${host} leads to ${found} and does not reach this server: ${target} is where it should lead.`,
  not_answering: ({ host, reason }: HostProblemValues) => `This server cannot be reached at ${host}: ${reason}`,
  certificate_missing: ({ host }: HostProblemValues) => `The certificate of this server is not valid for ${host}.`,
  certificate_waits: ({ host }: HostProblemValues) => `The certificate for ${host} is on its way.`,
  certificate_refused: ({ host, reason }: HostProblemValues) => `There is no certificate for ${host} yet: ${reason}`,
  taken: ({ host }: HostProblemValues) => `${host} is used elsewhere on this server.`,
};

export const HOST_PROBLEMS = Object.keys(SENTENCES) as readonly HostProblemCode[];
export type HostProblemCode = keyof typeof SENTENCES;
export type HostProblem = { readonly code: HostProblemCode; readonly values: HostProblemValues };

export function sentenceOf({ code, values }: HostProblem): string {
  return SENTENCES[code](values);
}
