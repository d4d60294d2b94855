// The settings of a workspace, in English.

export const workspace = {
  save: "Save",
  saveVerb: "Save the settings of the workspace",
  saved: "Settings saved.",
  forget: "Discard",
  nothingChanged: "Nothing has changed yet.",
  general: {
    title: "General",
    text: "A workspace has its own contacts, mail, keys and domains. Recipients see its name on your pages.",
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
    title: "Marketing mail",
    text: "Legal requirements and tracking. Transactional mail has no footer.",
  },
  postalAddress: "Postal address",
  postalAddressHelp: "In the footer of each marketing mail. Many countries require it.",
  tracking: "Opens and clicks",
  trackings: { ENABLED: "All mail", MARKETING_ONLY: "Marketing only", DISABLED: "Off" },
  trackingMeans: {
    ENABLED: "Opens and clicks of all mail are counted, unless a mail switches it off.",
    MARKETING_ONLY: "Opens and clicks of marketing mail are counted; transactional mail is not changed.",
    DISABLED: "No pixel and no redirected link in any mail. Campaigns then show no opens or clicks.",
  },
  doubleOptIn: "Double opt-in",
  doubleOptInHelp:
    "New subscribers get a mail and must confirm within seven days. Until then they get no marketing mail.",
  confirmationsFrom: "Confirmation mails from",
  fromName: "name",
  fromNameHelp: "If empty, the workspace’s name.",
  fromAddress: "address",
  fromAddressHelp: "At a verified domain. If empty, no-reply@ at your newest verified domain.",
  seePages: "See what recipients see",
  sendData: {
    title: "Data of sent mail",
    text: "The variables in the data of POST /v1/send.",
    stored: "Store them with the contact",
    storedHelp:
      "If off, they belong to that mail alone, and a code in it cannot turn up in a later mail. Turn it on if you come from Plunk.",
  },
  publicKeys: {
    title: "Public keys",
    text: "Anybody can read the public key on your website. Decide what it may do.",
    update: "Change existing contacts",
    updateHelp: "If off, it does not change the data of existing contacts.",
    unsubscribe: "Unsubscribe existing contacts",
    unsubscribeHelp: "If off, only the links in your mail and your secret keys can unsubscribe.",
    events: "Events that it may record",
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
    manage: "Make, rename or disable",
  },
};
