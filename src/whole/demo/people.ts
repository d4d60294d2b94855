// The people of the demo: the customers of the shop, and who works there.
import type { Role } from "../../base/roles.ts";
import type { Chance } from "./chance.ts";

const PEOPLE = 2_000;

/**
 * There are no mailboxes at these names (RFC 2606). The first two say by their MX records that they are at a provider.
 */
export const MAILBOXES = { gmail: "example.com", outlook: "example.net" } as const;
const OTHER_MAILBOXES = ["example.org", "alderbrook.example", "harbourstreet.example", "northfold.example"];

const FIRST_NAMES =
  "Ada Amara Anselm Beatrix Bruno Carys Cyril Daphne Dmitri Edda Elias Esme Farid Flora Gideon Greta Hamish Hana Idris Ines Jasper Joan Kenji Leila Linus Mabel Marek Nadia Noor Olive Oskar Petra Priya Rafael Rosa Samir Sylvie Tobias Una Wanda Yusuf Zelda".split(
    " ",
  );
const LAST_NAMES =
  "Abara Alder Banerjee Barlow Birch Castell Clough Dahl Duarte Ekström Fairweather Fenn Garrick Hallam Hartmann Holt Ibarra Jansen Keane Kowal Larkin Lindqvist Marsh Moreau Nakagawa Novak Okafor Orchard Pemberton Quill Rahman Reeve Sato Skelton Tanner Thorne Ueda Varga Wexford Wilk Yardley Zeller".split(
    " ",
  );
const TOWNS = ["Bath", "Bergen", "Bristol", "Cork", "Ghent", "Leeds", "Lisbon", "Lyon", "Norwich", "Porto", "Utrecht"];
const GARDENS = [
  "balcony",
  "balcony",
  "balcony",
  "courtyard",
  "window sill",
  "kitchen garden",
  "allotment",
  "greenhouse",
];

export type Person = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly town: string;
  readonly garden: string;
  readonly orders: number;
  readonly isSubscribed: boolean;
};

/** Each with an address of their own. */
export function customers({ below, pick }: Chance): readonly Person[] {
  return Array.from({ length: PEOPLE }, (_, at) => {
    const [firstName, lastName] = [pick(FIRST_NAMES), pick(LAST_NAMES)];
    const mailbox = at % 5 < 2 ? MAILBOXES.gmail : at % 5 === 2 ? MAILBOXES.outlook : pick(OTHER_MAILBOXES);
    return {
      email: `${plain(firstName)}.${plain(lastName)}${at + 1}@${mailbox}`,
      ...{ firstName, lastName, town: pick(TOWNS), garden: pick(GARDENS) },
      orders: below(4) === 0 ? below(12) : below(4),
      isSubscribed: below(12) > 0,
    };
  });
}

/** As the shop before this one has exported them. */
export function asFile(people: readonly Person[]): string {
  const rows = people.map(({ email, firstName, lastName, town, garden, orders, isSubscribed }) =>
    [email, firstName, lastName, town, garden, orders, isSubscribed ? "yes" : "no"].join(),
  );
  return ["email,firstName,lastName,town,garden,orders,subscribed", ...rows].join("\n");
}

function plain(name: string): string {
  return name
    .normalize("NFD")
    .replace(/[^a-z]/gi, "")
    .toLowerCase();
}

type Colleague = { readonly name: string; readonly email: string; readonly role: Role; readonly opens: string };

/**
 * By the name in their link. The operator of the server is an owner as well. `opens`: the page where their work begins.
 */
export const TEAM = {
  owner: { name: "Maud Ellery", email: "maud@marrowfield.example", role: "OWNER", opens: "/app" },
  marketer: { name: "Tomasz Reed", email: "tomasz@marrowfield.example", role: "MARKETER", opens: "/app/campaigns" },
  support: { name: "Ngozi Hart", email: "ngozi@marrowfield.example", role: "SUPPORT", opens: "/app/mail" },
  operator: { name: "Ilse Brandt", email: "ilse@marrowfield.example", role: "OWNER", opens: "/app/settings/server" },
} as const satisfies Readonly<Record<string, Colleague>>;

export type TeamRole = keyof typeof TEAM;
