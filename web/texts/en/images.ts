// Images, in English.

export const images = {
  choose: "Choose an image",
  upload: "Upload",
  drop: "Or drop files here: PNG, JPEG, GIF or WebP, up to 5 MB.",
  kinds: "Emails show PNG, JPEG, GIF and WebP, up to 5 MB each. The others were left out.",
  none: "No images yet.",
  more: "More",
  take: (name: string) => `Use ${name}`,
  remove: (name: string) => `Delete ${name}`,
  describe: {
    title: "What does the image show?",
    alt: "Alt text",
    altHelp: "For everybody whose email app shows no images, and for screen readers. What it says, in a few words.",
    decorative: "Decorative: it adds nothing to the text",
    missing: "Write an alt text, or tick Decorative.",
    insert: "Insert",
  },
  isUsed: "An email, template or campaign uses it.",
};
