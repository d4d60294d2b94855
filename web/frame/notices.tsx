// The banners above every screen: the state of the server, and a second factor that will be due.
import { FactorBanner } from "./factor-banner.tsx";
import { StateBar } from "./state-bar.tsx";

export function Notices() {
  return (
    <>
      <StateBar />
      <FactorBanner />
    </>
  );
}
