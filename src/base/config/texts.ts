// Rules for settings that are text of a certain form. Each answers the text to keep, or throws BadValue without showing
// it.
import { createPrivateKey } from "node:crypto";
import { isIP } from "node:net";
import { isRange } from "../ip-addresses.ts";
import { BadValue } from "./kinds.ts";
import { grantIn, ruleIn } from "./role-rules.ts";

const HOST_LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** A host name or an IP address, in lower case. Underscores pass: the names of containers have them. */
export function host(value: string): string {
  const lower = value.toLowerCase();
  if ((isIP(lower) !== 0 && !lower.includes("%")) || isHostName(lower)) return lower;
  throw new BadValue("must be a host name or an IP address, without scheme and port");
}

/** A host as in `host`, with a port if only that port is meant. */
export function hostAndPort(value: string): string {
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(value) ?? [];
  const name = bracketed ?? plain ?? value;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    throw new BadValue("must have a port from 1 to 65535");
  return host(name) + (port === undefined ? "" : `:${Number(port)}`);
}

/** A host name (RFC 1123 §2.1) in lower case. */
export function hostName(value: string): string {
  const lower = value.toLowerCase();
  if (isHostName(lower) && !lower.includes("_")) return lower;
  throw new BadValue('must be a host name such as "bounces.example.com"');
}

export function ipAddress(value: string): string {
  if (isIP(value) !== 0 && !value.includes("%")) return value.toLowerCase();
  throw new BadValue('must be an IP address such as "192.0.2.1"');
}

/** A key that becomes a part of the name in a DNS query. */
export function queryKey(value: string): string {
  if (/^[a-z0-9]{10,63}$/i.test(value)) return value.toLowerCase();
  throw new BadValue("must be the key of Spamhaus' Data Query Service: letters and digits");
}

/** The address of an HTTP server: scheme, host and port. Answers it without a slash at the end. */
export function webOrigin(value: string): string {
  const url = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
  if (!url) throw new BadValue('must be an http or https address such as "https://mail.example.com"');
  if (url.username || url.password) throw new BadValue("must not contain a user name or password");
  if (url.pathname !== "/" || url.search || url.hash) {
    throw new BadValue("must end after host and port: no path, no query, no fragment");
  }
  return url.origin;
}

/** A name server: an IP address, with a port if that is not 53. */
export function nameServer(value: string): string {
  const withPort = /^\[(.*:.*)\]:(\d+)$/.exec(value) ?? /^([\d.]+):(\d+)$/.exec(value);
  const [, address = value, port = "53"] = withPort ?? [];
  if (isIP(address) !== 0 && Number(port) >= 1 && Number(port) <= 65_535) return value;
  throw new BadValue(
    'must be an IP address, with a port if it is not 53, such as "192.0.2.1:5353" or "[2001:db8::1]:5353"',
  );
}

/** Where a daemon listens: the path of a socket, or host and port. */
export function socketPlace(value: string): string {
  const port = Number(/:(\d{1,5})$/.exec(value)?.[1]);
  if (value.startsWith("/") || (port >= 1 && port <= 65_535 && !value.startsWith(":"))) return value;
  throw new BadValue('must be the path of a socket, or host and port such as "127.0.0.1:3310"');
}

/** The path of the metrics; no other route begins with it. */
export function metricsPath(value: string): string {
  if (/^\/metrics(\/[\w-]{1,100})*$/.test(value)) return value;
  throw new BadValue('must be "/metrics" or a path below it, such as "/metrics/node1"');
}

/** An IP address or a network. */
export function addressRange(value: string): string {
  if (isRange(value)) return value;
  throw new BadValue('must be an IP address or a network, such as "192.0.2.1" or "10.0.0.0/8"');
}

/** A key of 256 bits. */
export function key256(value: string): string {
  if (/^[0-9a-f]{64}$/i.test(value) || /^[A-Za-z0-9+/]{43}=?$/.test(value)) return value;
  throw new BadValue("must be 32 bytes as 64 hexadecimal digits or as base64; `openssl rand -hex 32` makes one");
}

/** Where the database is. */
export function databaseUrl(value: string): string {
  if (/^sqlite:(?!\/\/|:)./.test(value)) return value;
  if (/^postgres(ql)?:\/\/[^/]+\/[^/?]+/.test(value) && URL.canParse(value)) return value;
  throw new BadValue(
    'must be "sqlite:" and the path of the database file, or "postgres://user:password@host:port/database"',
  );
}

/** A place for backups: a folder, or a bucket with the prefix of their names. */
export function backupPlace(value: string): string {
  const isAddress = value.includes("://");
  if (isAddress ? /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[^/]+)*\/?$/.test(value) : true) return value;
  throw new BadValue('must be the path of a folder, or a bucket and a prefix such as "s3://backups/posthorn"');
}

/** A public key of age (age-encryption.org/v1) to encrypt with. */
export function ageRecipient(value: string): string {
  if (/^age1[02-9ac-hj-np-z]{50,}$/.test(value)) return value;
  throw new BadValue(
    "must be a recipient of age, such as `age-keygen` prints after “Public key:”, beginning with age1",
  );
}

/** A person who has the file can guess without limit. */
export function longPassphrase(value: string): string {
  if (value.length >= 12) return value;
  throw new BadValue("must be at least 12 characters long");
}

/** An address where a person reads the messages of other machines. */
export function mailbox(value: string): string {
  if (/^[^\s@,;:<>"?&%]+@[^\s@,;:<>"?&%]+$/.test(value)) return value;
  throw new BadValue('must be an email address such as "admin@example.com"');
}

/** The address of a document that is read over HTTPS. */
export function secureAddress(value: string): string {
  if (/^https:\/\/./.test(value) && URL.canParse(value)) return value;
  throw new BadValue('must be an address that begins with "https://"');
}

/** An address that secrets are sent to: over HTTPS, or to this machine. */
export function tokenAddress(value: string): string {
  if (/^(https:\/\/|http:\/\/(127\.0\.0\.1|\[::1\]|localhost)[:/])./.test(value) && URL.canParse(value)) return value;
  throw new BadValue('must be an address that begins with "https://"');
}

/** Where access tokens go. Answers it without a slash at the end. */
export function graphAddress(value: string): string {
  return webOrigin(tokenAddress(`${value}/`.replace(/\/+$/, "/"))).replace(/\/$/, "");
}

/** A directory of Microsoft Entra: its ID, or one of its domains. */
export function entraTenant(value: string): string {
  if (/^[a-z0-9][a-z0-9.-]{1,252}$/i.test(value)) return value.toLowerCase();
  throw new BadValue(
    'must be the ID of a tenant at Microsoft, or one of its domains such as "example.onmicrosoft.com"',
  );
}

/** The key of a Google service account, as Google gives it for download. */
export function serviceAccount(value: string): string {
  try {
    const { client_email: email, private_key: key, token_uri: place } = JSON.parse(value) as Record<string, unknown>;
    if (typeof email === "string" && typeof key === "string" && createPrivateKey(key).asymmetricKeyType === "rsa") {
      tokenAddress(String(place));
      return value;
    }
  } catch {
    // The value may be a part of a key: no message shows it.
  }
  throw new BadValue("must be the JSON key of a Google service account, with client_email, private_key and token_uri");
}

/** An address that is called over HTTP. */
export function webAddress(value: string): string {
  const url = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
  if (url && !url.username && !url.password) return url.href;
  throw new BadValue(
    'must be an http or https address without a user name, such as "https://chat.example.com/hooks/abc"',
  );
}

/** A secret of Standard Webhooks: 24 to 64 bytes. */
export function webhookSecret(value: string): string {
  const bytes = Buffer.from(value.replace(/^whsec_/, ""), "base64").length;
  if (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(value) && bytes >= 24 && bytes <= 64) return value;
  throw new BadValue(
    'must be "whsec_" and 24 to 64 bytes in base64; `echo whsec_$(openssl rand -base64 32)` makes one',
  );
}

/** A role of one workspace, or of each. */
export function roleGrant(value: string): string {
  const grant = grantIn(value);
  if (grant && grant.role !== "OWNER") return value;
  throw new BadValue('must be a role other than owner, such as "support" or "editor in Shop"');
}

/** The role of a group. */
export function roleRule(value: string): string {
  if (ruleIn(value)) return value;
  throw new BadValue(
    'must be a group and its role, such as "it = owner", "sales = marketer" or "news = editor in Shop"',
  );
}

/** The name of an AWS region. */
export function awsRegion(value: string): string {
  if (/^[a-z]+(-[a-z]+)+-\d+$/.test(value)) return value;
  throw new BadValue('must be the name of an AWS region such as "eu-west-1"');
}

/** The name of an Amazon SNS topic. */
export function snsTopic(value: string): string {
  if (/^arn:aws(-[a-z]+)*:sns:[a-z]+(-[a-z]+)+-\d+:\d{12}:[\w-]{1,256}$/.test(value)) return value;
  throw new BadValue('must be the ARN of a topic, such as "arn:aws:sns:eu-west-1:123456789012:ses-notices"');
}

/** Links contain host names, so a name that no URL can hold, such as `mail.123`, is refused. */
function isHostName(lower: string): boolean {
  if (lower.length > 253 || /^[\d.]+$/.test(lower)) return false;
  return lower.split(".").every((label) => HOST_LABEL.test(label)) && URL.canParse(`http://${lower}`);
}
