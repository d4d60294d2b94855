// The texts of the demo's shop: its templates, campaigns, workflows and its form. It sells seeds and tools.
export const SHOP = {
  name: "Marrowfield",
  domain: "marrowfield.example",
  letters: "news.marrowfield.example",
} as const;
export const FROM = `hello@${SHOP.domain}`;
/** At a domain that began to send a few days ago. */
export const NEWS_FROM = `letters@${SHOP.letters}`;

export const PRODUCTS = [
  ["Thistledown seed tin", 24],
  ["Kettlewick hand trowel", 31],
  ["Brindle potting bench", 189],
  ["Lowmoor kneeling mat", 27],
  ["Rooksnest bird feeder", 42],
  ["Pellow copper watering can", 68],
  ["Sparrowgate cold frame", 145],
  ["Hobbin twine, three balls", 12],
] as const;

const INK = "#24382b";

/** `words`: paragraphs of HTML. */
function letter(title: string, words: readonly string[], button?: readonly [text: string, path: string]): string {
  const paragraphs = words.map((one) => `<p style="margin: 0 0 16px">${one}</p>`).join("\n");
  const link = button
    ? `<p style="margin: 24px 0"><a href="${pageOf(button[1])}" style="display: inline-block; padding: 10px 22px; border-radius: 6px; background: ${INK}; color: #ffffff; font-weight: bold; text-decoration: none">${button[0]}</a></p>`
    : "";
  return `<div style="max-width: 560px; margin: 0 auto; padding: 32px 24px; font: 16px/26px Georgia, serif; color: #22261f">
<p style="margin: 0 0 24px; font-weight: bold; color: ${INK}">${SHOP.name}</p>
<h1 style="margin: 0 0 16px; font: 26px/34px Georgia, serif">${title}</h1>
${paragraphs}
${link}</div>`;
}

export function pageOf(path: string): string {
  return `https://${SHOP.domain}${path}`;
}

const HELLO = '{{ firstName ?? "friend" }}';

export const TOPICS = [
  ["letters", "Garden letters", "What to sow and what to prune, once a month.", "in"],
  ["offers", "Offers", "A few times a year, when something is cheaper.", "in"],
  ["workshops", "Workshops", "Evenings in our greenhouse, for twelve people each.", "out"],
] as const;

export const TEMPLATES = {
  order: {
    name: "Order received",
    type: "TRANSACTIONAL",
    subject: "Your order {{ order }} at Marrowfield",
    body: letter(
      `Thank you, ${HELLO}.`,
      [
        "We have your order {{ order }}: <b>{{ product }}</b>, {{ total }} euros.",
        "It leaves our barn tomorrow morning.",
      ],
      ["Follow your parcel", "/orders"],
    ),
    tags: ["order"],
  },
  welcome: {
    name: "Welcome",
    type: "MARKETING",
    subject: "Welcome to the garden",
    body: letter(
      `Good to have you here, ${HELLO}.`,
      ["Once a month we write about what to sow, what to prune, and what may wait.", "The sowing calendar is for you."],
      ["Open the sowing calendar", "/calendar"],
    ),
    topic: "letters",
    tags: ["welcome"],
  },
  firstSteps: {
    name: "Three plants to begin with",
    type: "MARKETING",
    subject: "Three plants that forgive everything",
    body: letter(
      "Nasturtium, runner bean, chard",
      ["They grow in poor soil, in half a day of sun, and when you forget them for a week."],
      ["See the beginner's tin", "/beginners"],
    ),
    topic: "letters",
    tags: ["welcome"],
  },
  review: {
    name: "How is it growing?",
    type: "TRANSACTIONAL",
    subject: "How is it growing?",
    body: letter(`${HELLO}, two weeks have gone by`, [
      "Does what you bought do what it should? Answer this email: a person reads it.",
    ]),
    tags: ["review"],
  },
} as const;

const filter = (field: string, operator: string, value: string | number) => ({
  field: `data.${field}`,
  operator,
  value,
});
const all = (...filters: readonly object[]) => ({ groups: [{ filters }] });

export const SEGMENTS = {
  allotment: {
    name: "Allotment holders",
    description: "They buy seeds by the tin.",
    condition: all(filter("garden", "equals", "allotment"), filter("orders", "greaterThanOrEqual", 3)),
  },
  regulars: {
    name: "Regulars",
    description: "Ten orders or more.",
    condition: all(filter("orders", "greaterThanOrEqual", 10)),
  },
  greenhouse: {
    name: "Greenhouse owners",
    description: "With three orders or more.",
    condition: all(filter("garden", "equals", "greenhouse"), filter("orders", "greaterThanOrEqual", 3)),
  },
  newcomers: {
    name: "Window sills",
    description: "They are new to gardening, and hear from us by the new letters.",
    condition: all(filter("garden", "equals", "window sill"), filter("orders", "greaterThanOrEqual", 1)),
  },
} as const;

export type AudienceName = keyof typeof SEGMENTS;

export type CampaignWords = {
  readonly name: string;
  readonly subject: string;
  readonly body: string;
  readonly path: string;
  readonly topic: string;
  readonly to: AudienceName;
  readonly daysAgo: number;
};

const campaign = (
  daysAgo: number,
  to: AudienceName,
  [name, subject, path, ...words]: readonly [string, string, string, ...string[]],
  topic = "letters",
): CampaignWords => ({
  ...{ name, subject, path, topic, to, daysAgo },
  body: letter(name, [`Dear ${HELLO},`, ...words], ["Have a look", path]),
});

/** In the order in which they were sent. */
export const CAMPAIGNS: readonly CampaignWords[] = [
  campaign(330, "allotment", [
    "The seed list",
    "The new seed list is here",
    "/seeds",
    "Forty kinds of beans, and a squash that keeps for half a year.",
  ]),
  campaign(270, "regulars", [
    "First harvest",
    "{{ firstName }}, what came up first?",
    "/harvest",
    "Send us a picture of your first harvest. The best one hangs in our shop for a year.",
  ]),
  campaign(
    210,
    "greenhouse",
    [
      "Glass and frames",
      "A week of lower prices on cold frames",
      "/frames",
      "The Sparrowgate cold frame costs a fifth less until Sunday.",
    ],
    "offers",
  ),
  campaign(150, "allotment", [
    "Bulbs",
    "Planted once, back each year",
    "/bulbs",
    "Tulips, alliums and crocuses: what is planted once needs no care for years.",
  ]),
  campaign(90, "regulars", [
    "Sharp tools",
    "Good tools grow old with you",
    "/care",
    "Oil the handles, sharpen the blades. We show how, in four pictures.",
  ]),
  campaign(
    15,
    "greenhouse",
    [
      "Seed swap",
      "Bring what you have too much of",
      "/swap",
      "An evening in our greenhouse: everybody brings seeds, everybody takes seeds home.",
    ],
    "workshops",
  ),
];

/** Sent from a domain whose warm-up is under way. */
export const NEWEST = campaign(2, "newcomers", [
  "A letter for window sills",
  "Six herbs and one window",
  "/herbs",
  "Basil wants sun, mint wants water, and chives want to be left alone.",
]);

/** Not sent yet. */
export const PLANNED = campaign(0, "regulars", [
  "Rose week",
  "Roses travel well by night",
  "/roses",
  "From Monday on we dig up roses in the evening, and send them the same night.",
]);
export const DRAFT = campaign(
  0,
  "allotment",
  [
    "The new catalogue",
    "Something for every bed",
    "/catalogue",
    "To be written: what the photographer brings on Thursday.",
  ],
  "offers",
);

export const JOINED = "newsletter.joined";
export const ORDERED = "order.placed";

export const FORM = {
  name: "Garden letters",
  title: { en: "Letters from the garden", de: "Briefe aus dem Garten" },
  fields: [
    { name: "firstName", type: "text", label: { en: "First name", de: "Vorname" } },
    {
      name: "garden",
      type: "choice",
      options: [{ value: "balcony" }, { value: "allotment" }, { value: "greenhouse" }],
    },
  ],
  consent: { wording: { en: "Write to me once a month.", de: "Schreibt mir einmal im Monat." } },
  event: JOINED,
  tags: ["form"],
} as const;
