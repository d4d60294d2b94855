// The layout of sign-in pages: the form on the left, help on the right.
import type { ReactNode } from "react";
import { useEffect } from "react";
import { Horn } from "../parts/icons/icon.tsx";
import "./sign-in.css";

type SignInPageProps = {
  readonly title: string;
  readonly below?: ReactNode;
  readonly children: ReactNode;
  readonly story: ReactNode;
};

export function SignInPage({ title, below, children, story }: SignInPageProps) {
  useEffect(() => {
    document.title = `${title} · Posthorn`;
  }, [title]);
  return (
    <main className="sign-in">
      <section>
        <div className="way">
          <Horn />
          <div className="stack tight">
            <h1>{title}</h1>
            {below && <p className="dim row-text">{below}</p>}
          </div>
          {children}
        </div>
      </section>
      <section className="story">
        <div className="stack l">{story}</div>
      </section>
    </main>
  );
}
