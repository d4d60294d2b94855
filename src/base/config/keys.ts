// The table of settings: section, name, kind, default, and whether it can change while the server runs. The file, the
// environment, the interface and the report of unknown keys all follow it.
import { confirmed, key, live, secret, unset } from "./key.ts";
import { choice, days, duration, flag, valueList, noneOr, number, percent, text, wholeNumber } from "./kinds.ts";
import {
  addressRange,
  ageRecipient,
  awsRegion,
  backupPlace,
  databaseUrl,
  entraTenant,
  graphAddress,
  host,
  hostAndPort,
  hostName,
  ipAddress,
  key256,
  longPassphrase,
  mailbox,
  metricsPath,
  nameServer,
  queryKey,
  roleGrant,
  roleRule,
  secureAddress,
  serviceAccount,
  snsTopic,
  socketPlace,
  tokenAddress,
  webAddress,
  webhookSecret,
  webOrigin,
} from "./texts.ts";

const HOUR = 3600;
const DAY = 86_400;

const SECONDS_IN_A_WEEK = 7 * DAY;

export const KEYS = {
  http: {
    host: key(text(host), "127.0.0.1"),
    port: key(wholeNumber(0, 65_535), 8484),
    baseUrl: confirmed(unset(text(webOrigin))),
    /** Their X-Forwarded-For is believed. */
    trustedProxies: key(valueList(text(addressRange), 50), []),
    /** Certificates are fetched automatically; unset: from files, or plain HTTP. */
    tls: unset(choice("acme")),
    /** The contact address for the authority. */
    acmeEmail: unset(text(mailbox)),
    acmeDirectory: key(text(secureAddress), "https://acme-v02.api.letsencrypt.org/directory"),
    /** Path of a file in PEM form that the authority's own certificate is checked with. */
    acmeCaFile: unset(text()),
    /** Answers challenges and redirects; 0: none; unset: 80 with ACME, else none. */
    plainPort: unset(wholeNumber(0, 65_535)),
    /** Paths of files in PEM form; unset: plain HTTP. */
    certFile: unset(text()),
    keyFile: unset(text()),
    /** The pages under /app. */
    face: key(flag, true),
    /** Where finders of weaknesses may write to; unset: there is no security.txt. */
    securityEmail: unset(text(mailbox)),
  },
  data: {
    dir: key(text(), "./data"),
  },
  database: {
    // A secret: the address of a database server holds its password.
    url: secret(text(databaseUrl)),
    /** To PostgreSQL, from each node. */
    connections: key(wholeNumber(4, 500), 16),
  },
  backup: {
    /** Unset: no automatic backups. */
    everySeconds: live({ ...unset(duration(HOUR, 30 * DAY)), name: "every" }),
    /** This many of the newest backups stay. */
    keep: live(key(wholeNumber(1, 10_000), 7)),
    /** A folder, or s3://bucket/prefix. */
    to: live(unset(text(backupPlace))),
    /** Where the log of a SQLite file is shipped after each commit; in the form of `to`, but another place. */
    stream: unset(text(backupPlace)),
    /** Any moment of so many days can be restored. */
    streamDays: key(wholeNumber(1, 400), 7),
    /** The bucket's endpoint; unset: Amazon's. */
    endpoint: unset(text(webOrigin)),
    region: unset(text()),
    pathStyle: key(flag, true),
    accessKeyId: secret(text()),
    secretAccessKey: secret(text()),
    passphrase: secret(text(longPassphrase)),
    /** A public key of age: age1… */
    recipient: unset(text(ageRecipient)),
  },
  delivery: {
    transport: live(key(choice("capture", "smtp", "ses", "graph"), "capture")),
    /** 0: no limit. */
    ratePerSecond: live(key(number(0, 10_000), 14)),
    burst: live(key(wholeNumber(1, 10_000), 1)),
    /** Connections to the relay, or requests in flight to SES; for all threads together. */
    concurrency: live(key(wholeNumber(1, 500), 10)),
    /** Large mails in hand together; a larger one goes alone. */
    inHandBytes: key(wholeNumber(1024 * 1024, 64 * 1024 * 1024 * 1024), 64 * 1024 * 1024),
    retryScheduleSeconds: live({
      ...key(valueList(duration(1, SECONDS_IN_A_WEEK), 20), [60, 300, 900, 3600, 14_400, 43_200]),
      name: "retry_schedule",
    }),
    returnPathDomain: unset(text(hostName)),
    /** Sender domains without a history send marketing mail by a plan at first. */
    warmUp: live(key(flag, true)),
    /** How long a sender domain may send after its DKIM record is gone. */
    domainGraceSeconds: live({ ...key(duration(0, 30 * DAY), 3 * DAY), name: "domain_grace" }),
  },
  relay: {
    host: live(unset(text(host))),
    port: live(key(wholeNumber(1, 65_535), 587)),
    tls: live(key(choice("starttls", "implicit", "none"), "starttls")),
    verifyCertificate: live(key(flag, true)),
    /** Path of a file in PEM form. */
    caFile: unset(text()),
    user: live(unset(text())),
    password: live(secret(text())),
    /** oauth2: an access token takes the place of the password (XOAUTH2). */
    auth: live(key(choice("password", "oauth2"), "password")),
    /** Who gives the tokens: a directory of Microsoft (with its Graph, for mail without SMTP), or any other service. */
    tenant: live(unset(text(entraTenant))),
    graphUrl: live(key(text(graphAddress), "https://graph.microsoft.com")),
    tokenUrl: live(unset(text(tokenAddress))),
    clientId: live(unset(text())),
    clientSecret: live(secret(text())),
    refreshToken: live(secret(text())),
    /** The key of a Google service account: the whole JSON. */
    serviceAccount: live(secret(text(serviceAccount))),
    /** Unset: what Microsoft or Google asks for sending by SMTP. */
    scope: live(unset(text())),
    timeoutSeconds: live(key(wholeNumber(1, 600), 60)),
    /** The provider of the relay, whose reports are taken (docs/providers.md). */
    provider: unset(choice("mailgun", "postmark", "sendgrid", "resend", "brevo", "mailjet", "sparkpost", "generic")),
    /** The proof of its reports: a signing key, or user:password. */
    providerKey: secret(text()),
    /** Opens and clicks that it reports are taken. */
    providerTracking: key(flag, false),
  },
  ses: {
    region: live(unset(text(awsRegion))),
    accessKeyId: live(secret(text())),
    secretAccessKey: live(secret(text())),
    sessionToken: live(secret(text())),
    configurationSet: live(unset(text())),
    endpoint: live(unset(text(webOrigin))),
    /** Empty: notices are refused. */
    topics: key(valueList(text(snsTopic), 20), []),
  },
  smtp: {
    host: key(text(host), "127.0.0.1"),
    /** Our name; unset: the host of http.base_url. */
    hostname: unset(text(hostName)),
    /** With STARTTLS; 0: off. */
    submissionPort: key(wholeNumber(0, 65_535), 2587),
    /** TLS from the first byte; 0: off. */
    submissionsPort: key(wholeNumber(0, 65_535), 2465),
    /** Mail from outside, with STARTTLS; 0: off. */
    inboundPort: key(wholeNumber(0, 65_535), 2525),
    /** Paths of files in PEM form. */
    certFile: unset(text()),
    keyFile: unset(text()),
    insecureLoopback: key(flag, false),
    tracking: key(flag, false),
    connections: key(wholeNumber(1, 100_000), 2000),
    connectionsPerAddress: key(wholeNumber(1, 100_000), 100),
  },
  scanners: {
    rspamdUrl: unset(text(webOrigin)),
    /** A path, or host:port. */
    clamdSocket: unset(text(socketPlace)),
    timeoutSeconds: key(wholeNumber(1, 20), 10),
  },
  limits: {
    /** Per workspace; 0: no limit. */
    requestsPerMinute: live(key(wholeNumber(0, 1_000_000), 1000)),
    /** Per client without a secret key; 0: no limit. */
    signUpsPerMinute: live(key(wholeNumber(0, 1000), 30)),
    /** Mails from outside, per client; 0: no limit. */
    inboundPerMinute: live(key(wholeNumber(0, 100_000), 3000)),
    bodyBytes: key(wholeNumber(1024, 100 * 1024 * 1024), 15 * 1024 * 1024),
    /** The size of a file of contacts. */
    importBytes: live(key(wholeNumber(1024, 100 * 1024 * 1024 * 1024), 1024 * 1024 * 1024)),
    /** How long traces of ended workflow executions are kept. */
    executionDays: live(key(days, 90)),
    auditDays: live(key(days, 365)),
    /** 0: no warning. */
    bounceRateWarning: live(key(percent, 5)),
    complaintRateWarning: live(key(percent, 0.1)),
    /** At this rate marketing mail stops; 0: never. */
    bounceRateStop: live(key(percent, 0)),
    complaintRateStop: live(key(percent, 0)),
  },
  /** How long data is kept. */
  retention: {
    /** Bounce and complaint rates look at a month of mails and events. */
    mailDays: live(key(noneOr(31, 36_500), 365)),
    bodyDays: live(key(days, 90)),
    eventDays: live(key(noneOr(31, 36_500), 365)),
    inboundDays: live(key(days, 365)),
    attemptDays: live(key(days, 90)),
    recipientDays: live(key(days, 730)),
  },
  webhooks: {
    /** Hosts that may be called although they are not on the public internet. */
    allow: key(valueList(text(hostAndPort), 100), []),
    /** For one attempt in total. */
    timeoutSeconds: live(key(wholeNumber(1, 60), 10)),
    /** How long events that every endpoint has taken are kept; 0: as long as the rest. */
    deliveredDays: live(key(wholeNumber(0, 30), 7)),
  },
  compat: {
    /** Names that serve another service's API alone; unset: below /compat, and Mailgun's nowhere. */
    resendHost: unset(text(hostName)),
    postmarkHost: unset(text(hostName)),
    sendgridHost: unset(text(hostName)),
    mailgunHost: unset(text(hostName)),
  },
  dns: {
    /** Empty: the system's name servers. */
    servers: key(valueList(text(nameServer), 10), []),
  },
  metrics: {
    /** On the API's port; null = not served. */
    path: unset(text(metricsPath)),
    /** A separate port; 0: none. */
    port: key(wholeNumber(0, 65_535), 0),
    host: key(text(host), "127.0.0.1"),
    token: secret(text()),
    /** Shows counts for each workspace, by its id. */
    workspaces: key(flag, false),
  },
  /** The recipients of a message when something needs the operator (src/operator/alerts). */
  alerts: {
    email: live(key(valueList(text(mailbox), 10), [])),
    /** Unset: an address of the oldest verified sender domain. */
    from: live(unset(text(mailbox))),
    webhook: live(unset(text(webAddress))),
    /** whsec_…: signs the calls. */
    webhookSecret: live(secret(text(webhookSecret))),
    /** The age at which waiting email is late. */
    queueSeconds: live({ ...key(duration(60, DAY), 15 * 60), name: "queue_after" }),
  },
  /** How others see this server (src/operator/watch). */
  watch: {
    /** Whether blocklists are queried for our addresses and sender domains. */
    blocklists: live(key(flag, true)),
    /** The addresses that email reaches its recipients from; empty: those of our own name, if it leaves from there. */
    addresses: live(key(valueList(text(ipAddress), 50), [])),
    /** A key for Spamhaus' Data Query Service. */
    spamhausKey: live(secret(text(queryKey))),
  },
  /** A provider of sign-ins (OpenID Connect). Each further one has a table, [team.oidc.NAME] (config/oidc.ts). */
  "team.oidc": {
    /** As its discovery document, which is below this address, writes it. */
    issuer: live(unset(text(tokenAddress))),
    clientId: live(unset(text())),
    clientSecret: live(secret(text())),
    /** The name on its button; unset: the host of the issuer. */
    label: live(unset(text())),
    /** The domains of addresses that may sign in; empty: any. */
    allowedDomains: live(key(valueList(text(hostName), 100), [])),
    /** The claim that lists the groups of a person. */
    groupsClaim: live(key(text(), "groups")),
    /** "group = role" or "group = role in workspace"; the first that fits counts. */
    roles: live(key(valueList(text(roleRule), 200), [])),
    /** The role of a person without such a group and without a role given here; unset: they are refused. */
    defaultRole: live(unset(text(roleGrant))),
    /** Passwords and passkeys are refused. */
    only: confirmed(key(flag, false)),
  },
  updates: {
    /** Where `posthorn upgrade` finds releases: a folder, or its URL; unset: it is not asked by itself. */
    url: unset(text()),
  },
  log: {
    level: key(choice("debug", "info", "warn", "error"), "info"),
    format: key(choice("text", "json"), "text"),
    /** Log lines may name recipients, and quote relays. */
    addresses: key(flag, false),
  },
  secrets: {
    /** 32 bytes, as 64 hexadecimal digits or as base64. */
    key: secret(text(key256)),
  },
};

type KeyTable = typeof KEYS;

/** A value for every key of the table. */
export type ConfigValues = {
  readonly [S in keyof KeyTable]: {
    readonly [P in keyof KeyTable[S]]: KeyTable[S][P] extends { readonly fallback: infer T } ? T : never;
  };
};
