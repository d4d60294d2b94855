# The package for Nix: nix-env --install --file posthorn.nix, or (import ./posthorn.nix { inherit pkgs; }) in a configuration.
{ pkgs ? import <nixpkgs> { } }:
let
  inherit (pkgs) lib stdenv;
  version = "@VERSION@";
  archives = {
    x86_64-linux = { name = "linux-x64-baseline"; sha256 = "@SHA256 linux-x64-baseline@"; };
    aarch64-linux = { name = "linux-arm64"; sha256 = "@SHA256 linux-arm64@"; };
    x86_64-darwin = { name = "macos-x64"; sha256 = "@SHA256 macos-x64@"; };
    aarch64-darwin = { name = "macos-arm64"; sha256 = "@SHA256 macos-arm64@"; };
  };
  system = stdenv.hostPlatform.system;
  archive = archives.${system} or (throw "There is no Posthorn for ${system}.");
in
stdenv.mkDerivation {
  pname = "posthorn";
  inherit version;
  src = pkgs.fetchurl {
    url = "@DOWNLOADS@/posthorn-${version}-${archive.name}.tar.gz";
    inherit (archive) sha256;
  };
  nativeBuildInputs = lib.optional stdenv.hostPlatform.isLinux pkgs.autoPatchelfHook;
  # The program is data behind the runtime, which strip would remove.
  dontStrip = true;
  installPhase = ''
    runHook preInstall
    install -D -m 755 posthorn $out/bin/posthorn
    install -D -m 644 -t $out/share/doc/posthorn LICENSE LICENSES.txt config.example.toml
    runHook postInstall
  '';
  meta = {
    description = "Self-hosted email platform in one executable";
    homepage = "@HOME@";
    license = lib.licenses.mit;
    mainProgram = "posthorn";
    platforms = builtins.attrNames archives;
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
  };
}
