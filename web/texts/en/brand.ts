// The brand of a workspace, in English.

export const brand = {
  what: "Visual mails use this from their next change on. Mails written as code, and mails that were sent, do not change.",
  colours: "Colours and fonts",
  coloursText: "In dark mode, mails turn dark automatically; buttons keep their colour.",
  names: {
    accent: "Buttons and links",
    onAccent: "Text on buttons",
    ink: "Text",
    paper: "Paper",
    ground: "Background",
  },
  font: "Fonts",
  fontHelp:
    "As in CSS, such as Georgia, serif. Mail programs have few fonts, so end the list with serif or sans-serif.",
  logo: "Logo",
  logoAlt: "Alt text, for people who do not see it",
  noLogo: "No logo",
  choose: "Choose an image",
  without: "Without a logo",
  sender: "Sender",
  senderText: "Used for new mails and campaigns.",
  fromName: "Name",
  from: "Address",
  replyTo: "Reply to",
  footer: "Footer",
  footerText: "At the end of each visual mail. Marketing mail always gets an unsubscribe link as well.",
  footerLabel: "HTML with Liquid",
  save: "Save",
  saved: "Saved.",
  sample: "What a mail looks like",
  sampleWords: {
    title: "It is spring",
    words: "The windows are open again, and the new list is here: eleven books, chosen by people who read on trains.",
    action: "See the list",
  },
  images: "Images",
};
