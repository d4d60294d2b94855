// A QR code as an image, black on white in every colour scheme, because cameras need that. Loaded on use.
import { encode } from "uqr";

type QrCodeProps = { readonly text: string; /** The accessible name. */ readonly label: string };

/** The white border that the format requires, in modules. */
const BORDER = 4;

export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { border: BORDER });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.join("")} fill="#000" />
    </svg>
  );
}
