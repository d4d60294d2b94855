// A file of the face, and its path for browsers.

export type FaceFile = {
  /** With a hash of the content, so that it may be kept forever. */
  readonly name: string;
  readonly type: string;
  /** The files that it needs immediately, so that a browser can fetch them together. */
  readonly needs: readonly string[];
  /** Below web/, where a source file is the entry of this one. */
  readonly source: string | null;
  /** The addresses of the screen in this file: `/people/$id`. */
  readonly routes: readonly string[];
  /** Read at a request for the file: those of an executable stay in it. */
  readonly bytes: Blob;
};

export const FILES_PATH = "/app/-/";
/** The script that every page starts with. */
export const MAIN = /^main-.*\.js$/;
