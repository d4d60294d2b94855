// Help for people who cannot sign in.
import { useTexts } from "../base/language.ts";
import { Code } from "../parts/code.tsx";
import { Facts } from "../parts/layout.tsx";
import { signInTexts } from "../texts/areas.ts";

export function SignInHelp() {
  const t = useTexts(signInTexts);
  return (
    <>
      <div className="stack tight">
        <h2>{t.story.locked}</h2>
        <p className="dim row-text">{t.story.how}</p>
      </div>
      <Code title={t.story.onServer} text={`posthorn user link ${t.story.address}`} />
      <Facts
        facts={[
          [t.story.forgot, t.story.forgotWhat],
          [t.story.invited, t.story.invitedWhat],
          [t.story.program, t.story.programWhat],
        ]}
      />
    </>
  );
}
