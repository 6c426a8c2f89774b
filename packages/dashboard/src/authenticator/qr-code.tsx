import { useMemo } from 'react';
import { drawQr } from './draw-qr.ts';

/** A QR code, always dark on white because many readers cannot read inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawQr(text), [text]);
  return (
    <div className="qr" data-scheme="light">
      <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
        <path d={path} fill="currentColor" />
      </svg>
    </div>
  );
}
