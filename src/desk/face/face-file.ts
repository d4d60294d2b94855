// A file of the face, and its path for browsers.

export type FaceFile = {
  /** With a hash of what is in it, so that it may be kept forever. */
  readonly name: string;
  readonly type: string;
  /** The files that it needs at once, so that a browser can fetch them together. */
  readonly needs: readonly string[];
  /** Below web/, where a file begins with one. */
  readonly source: string | null;
  /** The addresses that it is the screen of: `/people/$id`. */
  readonly routes: readonly string[];
  /** Read when somebody asks for the file: those of an executable stay in it. */
  readonly bytes: Blob;
};

export const FILES_PATH = "/app/-/";
