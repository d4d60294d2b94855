// Providers whose domains are typed by hand so often that a slip in one is likelier than another's name. The kept lists do not
// tell them from the many others they hold, whose names are words of a language (casino.com, space.com, ireland.com); names
// that are a slip away from a known company's are left out (proton.me and photon.me, telenet.be and telnet.be).

/** The part before the first dot, the most used first; where each has domains, the kept lists say. */
export const PROVIDER_NAMES: readonly string[] = [
  "gmail",
  "yahoo",
  "hotmail",
  "outlook",
  "icloud",
  "live",
  "aol",
  "msn",
  "gmx",
  "web",
  "mail",
  "me",
  "mac",
  "ymail",
  "protonmail",
  "googlemail",
  "rocketmail",
  "yandex",
  "zoho",
  "t-online",
  "laposte",
  "wanadoo",
  "sfr",
  "seznam",
  "comcast",
  "verizon",
  "sbcglobal",
  "bellsouth",
  "earthlink",
  "btinternet",
  "bigpond",
  "optusnet",
  "rediffmail",
  "tiscali",
  "qq",
];

/** Real domains that are one slip away from a well-known one: companies, and other providers. */
export const NEIGHBOURS: readonly string[] = [
  "gail.com",
  "grail.com",
  "y7mail.com",
  "ymail4.com",
  "earthling.net",
  "prontomail.com",
  "proto2mail.com",
];
