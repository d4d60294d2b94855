// [[bounce_mailbox]]: mailboxes to which relays return mail, each with the login keys of [relay].
import { key } from "./key.ts";
import { KEYS, type ConfigValues } from "./keys.ts";
import { choice, flag, text, wholeNumber } from "./kinds.ts";
import type { NamedTables, TableValues } from "./named-tables.ts";
import { RELAY_RULES, type ConfigRule } from "./relay-rules.ts";

const OWN = {
  kind: key(choice("imap", "graph"), "imap"),
  /** The folder that is read. */
  folder: key(text(), "INBOX"),
  /** Where a report goes once it was taken. */
  movedTo: key(text(), "Posthorn"),
  /** It is deleted instead. */
  delete: key(flag, false),
  /** Takes a message that is not a report as inbound email. */
  asInbound: key(flag, false),
} as const;

const { provider: _, providerKey: __, providerTracking: ___, ...RELAY } = KEYS.relay;
const LOGIN = {
  ...RELAY,
  port: key(wholeNumber(1, 65_535), 993),
  tls: key(choice("starttls", "implicit", "none"), "implicit"),
};

/** `relay`: the server of the mailbox, with the keys of a relay. */
export type MailboxSettings = TableValues<typeof OWN> & {
  readonly name: string;
  readonly relay: TableValues<typeof LOGIN>;
};

/** [[bounce_mailbox]] in the file. */
export const MAILBOX_TABLES: NamedTables = {
  list: "bounce_mailbox",
  one: "bounce mailbox",
  most: 10,
  groups: { own: OWN, relay: LOGIN },
  keys: "those of [relay] but its provider, and kind, folder, moved_to, delete, as_inbound",
  reserved: {},
};

/** The rules of [relay], applied to the login of the mailbox, and its own. */
export function faultsOfMailbox(
  settings: ConfigValues,
  mailbox: MailboxSettings,
): readonly Omit<ConfigRule, "isBroken">[] {
  const { name, kind, relay, folder, movedTo } = mailbox;
  const transport = kind === "imap" ? "smtp" : kind;
  const asRelay: ConfigValues = {
    ...settings,
    delivery: { ...settings.delivery, transport },
    relay: { ...settings.relay, ...relay, provider: null, providerKey: null, providerTracking: false },
  };
  const broken = RELAY_RULES.filter(({ isBroken }) => isBroken(asRelay));
  const own = (words: string) =>
    words
      .replaceAll(/\brelay\./g, "")
      .replace("delivery.transport", "kind")
      .replace('kind is "smtp"', 'kind is "imap"');
  const pathIn = (path: string) => `bounce_mailbox.${name}.${own(path)}`;
  const fault = (path: string, message: string) => ({ key: pathIn(path), message });
  return [
    ...broken.map(({ key: path, message, instead = [] }) => ({
      ...fault(path, own(message)),
      instead: instead.map(pathIn),
    })),
    ...(relay.user === null ? [fault("user", "must be set: the mailbox that is read")] : []),
    ...(folder === movedTo ? [fault("moved_to", "must be another folder than the one that is read")] : []),
  ];
}
