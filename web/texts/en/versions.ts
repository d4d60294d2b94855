// Versions of an email, in English.

export const versions = {
  title: "Versions",
  count: (count: number) => (count === 1 ? "1 version" : `${count} versions`),
  now: "Now",
  number: (number: number) => `Version ${number}`,
  program: "a program",
  against: "What is compared",
  changed: "What it changed",
  toNow: "What changed since",
  same: "There are no differences.",
  restore: "Restore this version",
  isNow: "This is the current version.",
  restored: "Restored. The previous content is kept as a version, too.",
};
