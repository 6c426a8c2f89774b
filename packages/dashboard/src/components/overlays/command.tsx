import { Terminal } from 'lucide-react';
import { useRef, useState } from 'react';
import { curlOf, type Request } from '../../api/client/curl.ts';
import { Button } from '../controls/button.tsx';
import { later } from './later.ts';
import type { CommandProps } from './command-props.ts';

/** The popover loads when it is about to open. */
const CommandLayer = later(() => import('./command-layer.tsx').then((module) => module.CommandLayer));

/** The command that shows or does the same as the screen. */
export function Command({ label, title, text, small = false }: CommandProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        ref={button}
        small={small}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onHoverStart={() => CommandLayer.load()}
        onFocus={() => CommandLayer.load()}
        onPress={() => setOpen(true)}
      >
        <Terminal size={14} aria-hidden />
        {label}
      </Button>
      {isOpen && <CommandLayer {...{ title, text }} triggerRef={button} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The API request that returns the shown data or performs the action. */
export function Curl(request: Request) {
  return <Command label="curl" title="API request" text={curlOf(request, location.origin)} />;
}
