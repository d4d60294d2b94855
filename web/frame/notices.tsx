// What stands above every screen: how the server is, and what is due.
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
