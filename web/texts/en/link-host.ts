// The workspace's own host for links, in English.

type Sentence = (values: Record<string, string>) => string;

export const linkHost = {
  title: "Host of links",
  text: (host: string) => `Links, pages, forms and images of your emails are at ${host}.`,
  why: "With a host of your own, your emails name nobody else.",
  set: "Set a host",
  change: "Change",
  check: "Check now",
  checked: "checked",
  states: {
    WAITING: "does not lead here yet",
    CERTIFICATE: "waiting for its certificate",
    USED: "in use",
    FAILING: "does not lead here any more",
    FORMER: "former",
  },
  records: "Publish in the DNS",
  record: (type: string) => `${type} record`,
  orProof: (type: string) => `${type} record, only if the host is below no verified sender domain of this workspace`,
  name: "name",
  value: "value",
  former: "These serve links that were sent, while they lead here:",
  setTitle: "Host of links",
  host: "Host name",
  hostHelp: "Best below one of your sender domains. Publish its DNS record next.",
  save: "Save",
  remove: {
    action: "Remove",
    title: (host: string) => `Remove ${host}?`,
    text: "Links of new emails name the host of the server. Links that were sent work as long as the host leads here.",
  },
  /** Empty: the English texts come from the server. */
  problems: {} as Readonly<Record<string, Sentence>>,
};
