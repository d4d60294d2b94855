// Images, in English.

export const images = {
  choose: "Choose an image",
  upload: "Upload",
  drop: "Or drop files here: PNG, JPEG, GIF or WebP, up to 5 MB.",
  kinds: "Mails show PNG, JPEG, GIF and WebP, up to 5 MB each. The others were left out.",
  none: "No images yet.",
  more: "More",
  take: (name: string) => `Take ${name}`,
  remove: (name: string) => `Delete ${name}`,
  isUsed: "A mail, template or campaign uses it.",
};
