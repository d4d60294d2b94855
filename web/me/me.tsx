// One's own account: who one is, how things look, how one signs in, and where one has.
import { Bar } from "../frame/bar.tsx";
import { useTexts } from "../language.ts";
import { Sections } from "../parts/section.tsx";
import { frameTexts } from "../texts/areas.ts";
import { Appearance } from "./appearance.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Password } from "./password.tsx";
import { Profile } from "./profile.tsx";
import { Sessions } from "./sessions.tsx";
import "./me.css";

export function MeScreen() {
  const { me } = useTexts(frameTexts);
  return (
    <>
      <Bar title={me} call={{ path: "/me", person: true }} />
      <div className="page narrow">
        <Sections>
          <Profile />
          <Appearance />
          <Password />
          <Passkeys />
          <Sessions />
        </Sections>
      </div>
    </>
  );
}
