# The formula for Homebrew, on macOS and Linux.
class Posthorn < Formula
  desc "Self-hosted email platform in one executable"
  homepage "@HOME@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@DOWNLOADS@/posthorn-@VERSION@-macos-arm64.tar.gz"
      sha256 "@SHA256 macos-arm64@"
    end
    on_intel do
      url "@DOWNLOADS@/posthorn-@VERSION@-macos-x64.tar.gz"
      sha256 "@SHA256 macos-x64@"
    end
  end
  on_linux do
    on_arm do
      url "@DOWNLOADS@/posthorn-@VERSION@-linux-arm64.tar.gz"
      sha256 "@SHA256 linux-arm64@"
    end
    on_intel do
      url "@DOWNLOADS@/posthorn-@VERSION@-linux-x64-baseline.tar.gz"
      sha256 "@SHA256 linux-x64-baseline@"
    end
  end

  def install
    bin.install "posthorn"
    doc.install "LICENSES.txt"
    # One that is there stays as it is.
    (etc/"posthorn").install "config.example.toml" => "config.toml"
  end

  service do
    run [opt_bin/"posthorn", "serve", "--config", etc/"posthorn/config.toml", "--data", var/"posthorn"]
    keep_alive true
    # In JSON, keys of the first start go to first-keys.txt, not to the log.
    environment_variables POSTHORN_LOG_FORMAT: "json"
    log_path var/"log/posthorn.log"
    error_log_path var/"log/posthorn.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/posthorn version")
  end
end
