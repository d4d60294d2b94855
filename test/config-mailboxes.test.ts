// [[bounce_mailbox]]: mailboxes to which relays return mail, with the login keys of [relay].
import { afterAll, expect, test } from "bun:test";
import { ConfigFolder } from "./config-folder.ts";

const files = new ConfigFolder();
afterAll(() => files.remove());

const LOGIN = `host = "imap.example.com"\nuser = "bounces@example.com"\npassword = "p"\n`;
const mailbox = (keys: string, name = "office") => `[[bounce_mailbox]]\nname = "${name}"\n${keys}\n`;

test("a mailbox has the keys of a relay's login, with the port and TLS of IMAP", () => {
  const secret = files.written("from a file\n");
  const toml = mailbox(
    `host = "Imap.Example.com"\nuser = "b@example.com"\npassword_file = "${secret}"\nas_inbound = true`,
  );
  const [office] = files.load(toml).bounceMailboxes;
  expect(office).toMatchObject({ name: "office", kind: "imap", folder: "INBOX", movedTo: "Posthorn", asInbound: true });
  expect(office?.relay).toMatchObject({
    host: "imap.example.com",
    port: 993,
    tls: "implicit",
    password: "from a file",
  });
  const env = { POSTHORN_BOUNCE_MAILBOX_OFFICE_FOLDER: "Bounces" };
  expect(files.load(toml, env).bounceMailboxes[0]?.folder).toBe("Bounces");
});

test.each([
  [`[[bounce_mailbox]]\n${LOGIN}`, "bounce_mailbox.1.name: must be set: a name of its own"],
  [mailbox(LOGIN, "Office 1"), "bounce_mailbox.1.name: must be 1 to 30 lower-case letters"],
  [mailbox(LOGIN) + mailbox(LOGIN), "bounce_mailbox.2.name: is the name of another bounce mailbox as well: office"],
  [mailbox(`user = "u"\npassword = "p"`), 'bounce_mailbox.office.host: must be set when kind is "imap"'],
  [mailbox(`host = "imap.example.com"`), "bounce_mailbox.office.user: must be set: the mailbox that is read"],
  [mailbox(`host = "imap.example.com"\nuser = "u"`), "bounce_mailbox.office.password: must be set when user is"],
  [mailbox(`${LOGIN}moved_to = "INBOX"`), "bounce_mailbox.office.moved_to: must be another folder"],
  [mailbox(`${LOGIN}port = 70000`), "bounce_mailbox.office.port: must be a whole number"],
  [mailbox(`${LOGIN}provider = "generic"`), "bounce_mailbox.office.provider: is not a known key of a bounce mailbox"],
  [
    mailbox(
      `host = "imap.example.com"\nuser = "u"\nauth = "oauth2"\ntls = "none"\nclient_id = "c"\ntenant = "contoso.example"`,
    ),
    'bounce_mailbox.office.tls: must not be "none" when auth is "oauth2"',
  ],
  [
    mailbox(`kind = "graph"\nuser = "u"\npassword = "p"`),
    'bounce_mailbox.office.auth: must be "oauth2" when kind is "graph"',
  ],
  [
    mailbox(`${LOGIN}graph_url = "http://graph.example"`),
    "bounce_mailbox.office.graph_url: must be an address that begins",
  ],
  ["[bounce_mailbox]\nname = 'office'", "bounce_mailbox: must be a list of tables: [[bounce_mailbox]]"],
])("a fault is told by its key: %#", (toml, fault) => {
  expect(files.faultText(toml)).toStartWith(fault);
});
