import { Terminal } from 'lucide-react';
import { useRef, useState } from 'react';
import { curlOf, type Request } from '../api/curl.ts';
import { Button } from './button.tsx';
import { later } from './later.ts';

export interface CommandProps {
  label: string;
  /** Where it is typed, for the head of what opens. */
  title: string;
  text: string;
  small?: boolean;
}

/** What floats comes when somebody is about to open it. */
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

/** The same by the API: what the screen shows or is about to do, as one request. */
export function Curl(request: Request) {
  return <Command label="curl" title="The same by the API" text={curlOf(request, location.origin)} />;
}
