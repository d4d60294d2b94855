// A way out as its owners see it: its settings without its secrets, and how it is doing in this process.
import { t } from "elysia";
import { ifUpdatedAtShape } from "../../tenant/access/saving-shape.ts";
import { wayStateShape } from "./state-record.ts";
import type { WayState } from "./open-way.ts";
import { countShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { optional } from "../../http/schemas.ts";
import { providerUrl as placeOfReports } from "../../mail/providers/place.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { WayDomainRefusal } from "../../ground/ways/domain-queries.ts";
import { allowsSignIn } from "../../ground/way-tokens/sign-in.ts";
import { PROBLEM_CODES, type Way } from "../../ground/ways/list.ts";
import { addressOfWay } from "../../ground/ways/way.ts";

const KINDS = ["smtp", "ses", "graph", "capture"] as const;
const TLS = ["starttls", "implicit", "none"] as const;
const AUTHS = ["password", "oauth2"] as const;
const PROVIDERS = [
  ...(["mailgun", "postmark", "sendgrid", "resend", "brevo"] as const),
  ...(["mailjet", "sparkpost", "generic"] as const),
] as const;

const MOST_REFUSED = 50;
/** The limit of all ways together. */
export const MOST_READ = 500;

const rateShape = t.Number({ minimum: 0, maximum: 10_000 });
const priceShape = t.Number({ minimum: 0, maximum: 1_000_000 });

export const refusedDomainShape = t.Object(
  {
    ...{ domain: t.String(), workspace: t.String(), since: timeShape, problem: nullable(t.String()) },
    ...{ problemCode: nullable(t.String()), problemValues: t.Record(t.String(), t.String()) },
  },
  { title: "RefusedDomain" },
);

export const wayShape = t.Object(
  {
    name: t.String(),
    source: oneOf("CONFIGURATION", "INSTALLATION"),
    kind: oneOf(...KINDS),
    place: t.Union([t.String(), t.Null()], {
      description: "Host and port of the relay, or the region of Amazon SES; null = email is kept.",
    }),
    host: nullable(t.String()),
    port: countShape,
    tls: oneOf(...TLS),
    verifyCertificate: t.Boolean(),
    user: nullable(t.String()),
    hasPassword: t.Boolean({ description: "The password itself is never answered." }),
    auth: oneOf(...AUTHS),
    tenant: nullable(t.String()),
    tokenUrl: nullable(t.String()),
    clientId: nullable(t.String()),
    scope: nullable(t.String()),
    hasClientSecret: t.Boolean(),
    hasRefreshToken: t.Boolean(),
    hasServiceAccount: t.Boolean(),
    allowsSignIn: t.Boolean({ description: "Somebody can sign in, so that it sends by their right." }),
    timeoutSeconds: countShape,
    provider: nullable(oneOf(...PROVIDERS)),
    hasProviderKey: t.Boolean(),
    providerTracking: t.Boolean(),
    reportsUrl: t.Union([t.String(), t.Null()], {
      description:
        "Secret: enter it at the provider. It posts there what becomes of emails. null = no provider is set.",
    }),
    region: nullable(t.String()),
    hasAccessKey: t.Boolean({ description: "The access key itself is never answered." }),
    configurationSet: nullable(t.String()),
    endpoint: nullable(t.String()),
    topics: t.Array(t.String()),
    ratePerSecond: t.Union([t.Number({ minimum: 0 }), t.Null()], { description: "At most; null = no limit." }),
    burst: countShape,
    concurrency: countShape,
    price: t.Union([t.Number({ minimum: 0 }), t.Null()], {
      description: "Of a thousand emails, in whatever currency: for information.",
    }),
    pausedAt: t.Union([timeShape, t.Null()], { description: "It gets no email since then; null = it is not paused." }),
    updatedAt: t.Union([timeShape, t.Null()], {
      description: "When its settings were saved; null = they are in the configuration.",
    }),
    problem: t.Union([t.String(), t.Null()], {
      description: "Why nothing can leave by it, whatever its next hop says; null = nothing keeps it.",
    }),
    problemCode: nullable(oneOf(...PROBLEM_CODES)),
    state: t.Union([wayStateShape, t.Null()], {
      description: "As the node that answers sees it; null = it is not used there.",
    }),
    refusedDomains: t.Array(refusedDomainShape, {
      description:
        "Sender domains that it does not know: their email leaves by the others, or waits and says why. At most 50.",
    }),
  },
  { title: "Way" },
);
export type WayRecord = typeof wayShape.static;

const settings = {
  host: optional(t.String({ maxLength: 255 }), "Of the relay; needed for the kind smtp."),
  port: optional(t.Integer({ minimum: 1, maximum: 65_535 }), "Default: 587."),
  tls: optional(t.Union(TLS.map((one) => t.Literal(one))), "Default: starttls."),
  verifyCertificate: optional(t.Boolean(), "Default: true."),
  user: optional(t.String({ maxLength: 1000 })),
  password: optional(t.String({ maxLength: 10_000 }), "Kept encrypted."),
  auth: optional(t.Union(AUTHS.map((one) => t.Literal(one))), "oauth2: with an access token. Default: password."),
  tenant: optional(t.String({ maxLength: 255 }), "At Microsoft: gives the access tokens."),
  tokenUrl: optional(t.String({ maxLength: 1000 }), "Where any other service gives the access tokens."),
  clientId: optional(t.String({ maxLength: 1000 })),
  clientSecret: optional(t.String({ maxLength: 10_000 }), "Kept encrypted."),
  refreshToken: optional(t.String({ maxLength: 10_000 }), "Kept encrypted, and so is each that takes its place."),
  serviceAccount: optional(
    t.String({ maxLength: 10_000 }),
    "The JSON key of a Google service account. Kept encrypted.",
  ),
  scope: optional(t.String({ maxLength: 1000 }), "Default: what Microsoft or Google asks for sending by SMTP."),
  graphUrl: optional(
    t.String({ maxLength: 255 }),
    "Default: https://graph.microsoft.com. National clouds have others.",
  ),
  timeoutSeconds: optional(t.Integer({ minimum: 1, maximum: 600 }), "Default: 60."),
  provider: optional(t.Union(PROVIDERS.map((one) => t.Literal(one))), "Whose relay it is: its reports are taken."),
  providerKey: optional(t.String({ maxLength: 10_000 }), "What proves its reports. Kept encrypted."),
  providerTracking: optional(t.Boolean(), "Opens and clicks that it reports are taken. Default: false."),
  region: optional(t.String({ maxLength: 100 }), "Of Amazon SES; needed for the kind ses."),
  accessKeyId: optional(t.String({ maxLength: 1000 }), "Kept encrypted."),
  secretAccessKey: optional(t.String({ maxLength: 1000 }), "Kept encrypted."),
  sessionToken: optional(t.String({ maxLength: 10_000 }), "Kept encrypted."),
  configurationSet: optional(t.String({ maxLength: 1000 })),
  endpoint: optional(t.String({ maxLength: 1000 })),
  topics: optional(t.Array(t.String({ maxLength: 1000 }), { maxItems: 20 }), "Of Amazon SNS, for notices of SES."),
  ratePerSecond: optional(rateShape, "At most; 0 = no limit. Default: 14."),
  burst: optional(t.Integer({ minimum: 1, maximum: 10_000 }), "Default: 1."),
  concurrency: optional(t.Integer({ minimum: 1, maximum: 500 }), "Connections. Default: 10."),
  price: optional(priceShape, "Of a thousand emails: for information."),
};

export const newWayShape = t.Object(
  { name: t.String({ minLength: 1, maxLength: 30 }), kind: t.Union(KINDS.map((one) => t.Literal(one))), ...settings },
  {
    examples: [
      { name: "backup", kind: "smtp", host: "smtp.postmarkapp.com", user: "token", password: "…", ratePerSecond: 10 },
    ],
  },
);

/** Null sets a setting back to its default. */
export const wayChangeShape = t.Object(
  { kind: optional(t.Union(KINDS.map((one) => t.Literal(one)))), ...settings, ifUpdatedAt: ifUpdatedAtShape },
  { examples: [{ ratePerSecond: 5 }] },
);

type WayRecordOptions = {
  readonly secrets: Secrets;
  readonly baseUrl: string;
  readonly states: readonly WayState[];
  /** The refusals of all ways. */
  readonly refused: readonly WayDomainRefusal[];
};

export function wayRecord(way: Way, { secrets, baseUrl, states, refused }: WayRecordOptions): WayRecord {
  const {
    name,
    source,
    kind,
    relay,
    ses,
    ratePerSecond,
    burst,
    concurrency,
    price,
    pausedAt,
    updatedAt,
    problem,
    problemCode,
  } = way;
  const { host, port, tls, verifyCertificate, user, timeoutSeconds, provider, providerTracking } = relay;
  const { auth, tenant, tokenUrl, clientId, scope } = relay;
  const { region, configurationSet, endpoint, topics } = ses;
  return {
    ...{ name, source, kind, place: addressOfWay(way), host, port, tls, verifyCertificate, user },
    ...{ timeoutSeconds, provider, providerTracking, region, configurationSet, endpoint, topics: [...topics] },
    ...{ burst, concurrency, price, pausedAt, updatedAt, problem, problemCode },
    ...{ auth, tenant, tokenUrl, clientId, scope },
    hasPassword: relay.password !== null,
    hasClientSecret: relay.clientSecret !== null,
    hasRefreshToken: relay.refreshToken !== null,
    hasServiceAccount: relay.serviceAccount !== null,
    allowsSignIn: allowsSignIn(way),
    hasProviderKey: relay.providerKey !== null,
    hasAccessKey: ses.accessKeyId !== null,
    reportsUrl: provider === null ? null : placeOfReports(secrets, baseUrl, provider),
    ratePerSecond: ratePerSecond === 0 ? null : ratePerSecond,
    state: states.find((state) => state.name === name) ?? null,
    refusedDomains: refused
      .filter((one) => one.way === name)
      .slice(0, MOST_REFUSED)
      .map(refusedDomain),
  };
}

function refusedDomain({ name: domain, workspaceName: workspace, since, known }: WayDomainRefusal) {
  const { problem, code, values } = known;
  return { domain, workspace, since, problem, problemCode: code ?? null, problemValues: { ...values } };
}
