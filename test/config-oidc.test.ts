// [team.oidc]: providers of sign-ins, by file and environment.
import { afterAll, describe, expect, test } from "bun:test";
import { DEFAULTS } from "../src/base/config.ts";
import { ConfigFolder } from "./config-folder.ts";

const files = new ConfigFolder();
afterAll(() => files.remove());

const ONE = `
[team.oidc]
issuer = "https://login.example.com/realms/shop"
client_id = "posthorn"
`;

describe("providers of sign-ins", () => {
  test("are none unless one is set up", () => {
    expect(DEFAULTS.oidc).toEqual([]);
    expect(files.load("").oidc).toEqual([]);
  });

  test("have a name, defaults, and the host of the issuer on the button", () => {
    expect(files.load(ONE).oidc).toEqual([
      {
        name: "default",
        issuer: "https://login.example.com/realms/shop",
        clientId: "posthorn",
        clientSecret: null,
        label: "login.example.com",
        allowedDomains: [],
        groupsClaim: "groups",
        roles: [],
        defaultRole: null,
        only: false,
      },
    ]);
  });

  test("may be several, each further one in a table with its name", () => {
    const secret = files.written("from a file\n");
    const toml = `${ONE}
[team.oidc.google]
label = "Google"
issuer = "https://accounts.google.com"
client_id = "123.apps.googleusercontent.com"
client_secret_file = "${secret}"
allowed_domains = ["Example.com"]
default_role = "support in Shop"`;
    const [first, google] = files.load(toml).oidc;
    expect(first?.name).toBe("default");
    expect(google).toMatchObject({ name: "google", label: "Google", clientSecret: "from a file" });
    expect(google).toMatchObject({ allowedDomains: ["example.com"], defaultRole: "support in Shop" });
  });

  test("can be set in the environment; a further one if the file has its name", () => {
    const env = {
      POSTHORN_TEAM_OIDC_ISSUER: "https://login.example.com",
      POSTHORN_TEAM_OIDC_CLIENT_ID: "posthorn",
      POSTHORN_TEAM_OIDC_CLIENT_SECRET: "s",
      POSTHORN_TEAM_OIDC_ROLES: "it = owner, news = editor in Shop",
    };
    expect(files.load("", env).oidc).toMatchObject([
      { clientSecret: "s", roles: ["it = owner", "news = editor in Shop"] },
    ]);
    const toml = `[team.oidc.google]\nissuer = "https://accounts.google.com"`;
    expect(files.load(toml, { POSTHORN_TEAM_OIDC_GOOGLE_CLIENT_ID: "x" }).oidc).toMatchObject([{ clientId: "x" }]);
    expect(files.faultyKeys("", { POSTHORN_TEAM_OIDC_GOOGLE_CLIENT_ID: "x" })).toEqual([
      "POSTHORN_TEAM_OIDC_GOOGLE_CLIENT_ID",
    ]);
  });

  test.each([
    [`[team.oidc]\nclient_id = "x"`, "team.oidc.issuer: must be set"],
    [`[team.oidc]\nissuer = "https://a.example"`, "team.oidc.client_id: must be set when team.oidc.issuer is"],
    [`${ONE}roles = ["news"]`, "team.oidc.roles: has a bad entry 1: it must be a group and its role"],
    [`${ONE}roles = ["news = chief"]`, "team.oidc.roles: has a bad entry 1: it must be a group and its role"],
    [`${ONE}roles = ["it = owner in Shop"]`, "team.oidc.roles: has a bad entry 1: it must be a group and its role"],
    [`${ONE}default_role = "owner"`, "team.oidc.default_role: must be a role other than owner"],
    [`${ONE}isuer = "x"`, "team.oidc.isuer: is not a known key; did you mean team.oidc.issuer?"],
    [`[team.oidc]\nissuer = "http://a.example"`, 'team.oidc.issuer: must be an address that begins with "https://"'],
    [`${ONE}[team.oidc.google]\nclient_id = "x"`, "team.oidc.google.issuer: must be set"],
    [`${ONE}[team.oidc.google]\nissuer = "https://g.example"`, "team.oidc.google.client_id: must be set when"],
    [
      `${ONE}[team.oidc.google]\nclaims = 1`,
      "team.oidc.google.claims: is not a known key of a provider: it has issuer",
    ],
    [`${ONE}[team.oidc.My_IDP]\nissuer = "https://g.example"`, "team.oidc.My_IDP: must be 1 to 30 lower-case letters"],
    [
      `${ONE}[team.oidc.default]\nissuer = "https://g.example"`,
      'team.oidc.default: must not be "default": that is [team.oidc] itself',
    ],
    [
      `${ONE}[team.oidc.twin]\nissuer = "https://login.example.com/realms/shop"\nclient_id = "y"`,
      "team.oidc.twin.issuer: must be another one than that of a provider before",
    ],
    [`[team]\nname = "x"`, "team.name: is not a known key"],
    [`team = 3`, "team: is not a known key"],
  ])("report what is wrong, by key: %p", (toml, fault) => {
    expect(files.faultText(toml)).toStartWith(fault);
  });
});
