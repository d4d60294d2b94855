// About the pages of recipients, in English.

export const recipientPages = {
  all: "All pages",
  frame: (page: string) => `Preview: ${page}`,
  language: "Language",
  size: "Width",
  desktop: "As on a desktop",
  phone: "As on a phone",
  scheme: "Recipient’s colours",
  light: "Light",
  dark: "Dark",
  pages: {
    footer: {
      title: "Footer of marketing email",
      brief: "below each marketing email",
      text: "Added to marketing email that does not have the unsubscribe link or the postal address itself. Transactional email has none.",
    },
    unsubscribe: {
      title: "Unsubscribe, preferences",
      brief: "unsubscribeUrl, manageUrl",
      text: "Opening the link changes nothing, so scanners unsubscribe nobody; only the button does. Email apps unsubscribe with one click.",
    },
    unsubscribed: {
      title: "After unsubscribing",
      brief: "with the way back",
      text: "People who change their mind can subscribe again with one click.",
    },
    confirmation: {
      title: "Confirmation email",
      brief: "asks a new subscriber",
      text: "Double opt-in sends it to new subscribers. They have seven days.",
    },
    confirm: {
      title: "Confirm",
      brief: "subscribeUrl in that email",
      text: "The link in the confirmation email leads here. The button confirms.",
    },
    subscribed: {
      title: "After confirming",
      brief: "with the way out",
      text: "Also shown to people who subscribe again.",
    },
    gone: {
      title: "Unknown contact",
      brief: "link of a deleted contact",
      text: "The link is genuine, but the contact was deleted or never confirmed.",
    },
    broken: {
      title: "Broken link",
      brief: "cut off or invented",
      text: "The link was not created by this server, or a part of it is missing.",
    },
  },
  settings: {
    title: "Settings",
    change: "Change",
    names: {
      name: "Name",
      language: "Language",
      mailLanguage: "Language",
      postalAddress: "Postal address",
      doubleOptIn: "Double opt-in",
      sender: "Sender",
      wording: "Wording",
    },
    languageIs: "The contact’s (data language or locale), else the browser’s, else the workspace’s.",
    mailLanguageIs: "The contact’s (data language or locale), else the workspace’s.",
    noAddress: "None. Many countries require one in marketing email.",
    on: "on",
    off: "off, unless a call asks for it",
    noReply: "no-reply@ your newest verified domain",
    wordingIs: "Ours, in 17 languages. It cannot be changed.",
  },
};
