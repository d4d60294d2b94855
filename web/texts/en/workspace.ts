// The settings of a workspace, in English.

export const workspace = {
  save: "Save",
  saveVerb: "Save the settings of the workspace",
  saved: "Settings saved.",
  forget: "Discard",
  nothingChanged: "Nothing has changed yet.",
  general: {
    title: "General",
    text: "A workspace has its own contacts, email, keys and domains. Recipients see its name on your pages.",
  },
  name: "Name",
  language: "Language of recipients",
  languageHelp: "For contacts whose own language is unknown.",
  timeZone: "Time zone",
  timeZoneHelp: (own: string) =>
    `For scheduling campaigns. If empty, the time zone of each user’s computer is used, here ${own}.`,
  id: "Workspace ID",
  idHelp: "For support, and for the header X-Workspace.",
  marketing: {
    title: "Marketing email",
    text: "Legal requirements and tracking. Transactional email has no footer.",
  },
  postalAddress: "Postal address",
  postalAddressHelp: "In the footer of each marketing email. Many countries require it.",
  tracking: "Opens and clicks",
  trackings: { ENABLED: "All email", MARKETING_ONLY: "Marketing only", DISABLED: "Off" },
  trackingMeans: {
    ENABLED: "Opens and clicks of all email are counted, unless an email switches it off.",
    MARKETING_ONLY: "Opens and clicks of marketing email are counted; transactional email is not changed.",
    DISABLED: "No pixel and no redirected link in any email. Campaigns then show no opens or clicks.",
  },
  doubleOptIn: "Double opt-in",
  doubleOptInHelp:
    "New subscribers get an email and must confirm within seven days. Until then they get no marketing email.",
  confirmationsFrom: "Confirmation emails from",
  fromName: "name",
  fromNameHelp: "If empty, the workspace’s name.",
  fromAddress: "email address",
  fromAddressHelp: "At a verified domain. If empty, no-reply@ at your newest verified domain.",
  seePages: "Preview the recipient pages",
  search: {
    title: "Search",
    text: "Contacts are found by their email address and their name.",
    fields: "Also by these fields",
    fieldsHelp: "Up to five, separated by commas: a customer number, an ID of your shop, a company.",
    none: "customerId, company",
  },
  sendData: {
    title: "Data of sent email",
    text: "The variables in the data of POST /v1/send.",
    stored: "Store them with the contact",
    storedHelp:
      "If off, they belong to that email alone, and a code in it cannot turn up in a later email. Turn it on if you come from Plunk.",
  },
  publicKeys: {
    title: "Public keys",
    text: "Anybody can read the public key on your website. Decide what it may do.",
    update: "Change existing contacts",
    updateHelp: "If off, it does not change the data of existing contacts.",
    unsubscribe: "Unsubscribe existing contacts",
    unsubscribeHelp: "If off, only the links in your email and your secret keys can unsubscribe.",
    events: "Events that it may track",
    anyEvent: "any",
    noEvent: "none",
    eventsHelp:
      "Names, separated by commas. If empty, any event: then strangers can also start workflows that show the data of an event.",
  },
  workspaces: {
    all: "Workspaces on this server",
    own: "Your workspaces",
    enabled: "enabled",
    disabled: "disabled",
    open: "open here",
    choose: "Open",
    manage: "Create, rename or disable",
  },
};
